// What programs of others call gives what the tool prints, and refuses in its words.
#include "library/envgen.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/temporary_folder.hpp"
#include "util/process.hpp"

namespace envgen {
namespace {

using Json = nlohmann::json;
using library::Answer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* project_of_4090 =
    R"({"request": {"torch": "2.3", "gpus": ["4090"]}, /* and */ "outputs": {"files": ["dockerfile", "run"]}})";

/// What `envgen ARGUMENTS` prints in a folder with this envgen.json.
std::string printed(const test::TemporaryFolder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(),
                   {"sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path().string(), ENVGEN_TOOL, "--built-in"});
  const auto result = util::run_process(arguments);
  EXPECT_TRUE(result) << result.error().message;
  return result ? result->out : std::string();
}

/// `what()` of the refusal, and its hints.
template <class Call>
std::vector<std::string> refusal(const Call& call) {
  try {
    call();
  } catch (const library::Failure& failure) {
    std::vector<std::string> said{failure.what()};
    said.insert(said.end(), failure.hints.begin(), failure.hints.end());
    EXPECT_EQ(Json::parse(failure.json).at("error").at("code"),
              said.front().find("out of date") == std::string::npos ? "bad_input" : "differs");
    return said;
  }
  return {};
}

TEST(Library, AnswersAsTheToolDoes) {
  const test::TemporaryFolder folder;
  folder.write("envgen.json", project_of_4090);
  const auto answer = library::resolve(project_of_4090);
  EXPECT_EQ(answer.kind, Answer::Kind::environment);
  const auto json = Json::parse(answer.json);
  EXPECT_EQ(json.at("environment"),
            Json::parse(printed(folder, {"resolve", "--project", "envgen.json", "--json"})).at("environment"));
  EXPECT_EQ(json.at("install"), Json(answer.install));
  EXPECT_EQ(answer.lock, printed(folder, {"lock", "-o", "-"}));
  EXPECT_THAT(answer.text, StartsWith("torch 2.3.1 + CUDA 12.1"));
  EXPECT_THAT(answer.notes, ElementsAre());
}

TEST(Library, ProvesThatThereIsNone) {
  const auto answer = library::resolve(R"({"request": {"torch": "2.3", "gpus": ["5090"]}})");
  EXPECT_EQ(answer.kind, Answer::Kind::conflict);
  EXPECT_TRUE(Json::parse(answer.json).contains("conflict"));
  EXPECT_THAT(answer.text, StartsWith("No environment satisfies torch 2.3 and gpu 5090.\n"));
  EXPECT_EQ(answer.lock, "");
  EXPECT_TRUE(answer.install.empty());
}

TEST(Library, SaysWhereAFactIsMissing) {
  const auto answer = library::resolve(R"({"request": {"torch": "0.4"}})");
  EXPECT_EQ(answer.kind, Answer::Kind::unknown);
  EXPECT_TRUE(Json::parse(answer.json).contains("unknown"));
  EXPECT_EQ(answer.lock, "");
}

TEST(Library, ChoosesDevelForWhatCompilesAndSaysSo) {
  const auto answer = library::resolve(R"({"request": {"torch": "2.6", "gpus": ["A100"]}, "outputs": {"pip": ["flash-attn"]}})");
  EXPECT_THAT(answer.notes, ElementsAre("'flash-attn' needs nvcc, so the devel variant is used"));
  EXPECT_EQ(Json::parse(answer.json).at("environment").at("variant"), "devel");
}

TEST(Library, MakesTheFilesOfAProject) {
  const test::TemporaryFolder folder;
  folder.write("envgen.json", project_of_4090);
  printed(folder, {"generate"});
  const auto files = library::files(project_of_4090, library::resolve(project_of_4090).lock);
  std::vector<std::string> paths;
  for (const auto& file : files) {
    paths.push_back(file.path);
    EXPECT_EQ(file.text, folder.read(file.path)) << file.path;
    EXPECT_EQ(file.executable, file.path == "run.sh");
  }
  EXPECT_THAT(paths, ElementsAre("Dockerfile", ".dockerignore", "run.sh"));
}

TEST(Library, RefusesWhatIsNotUnderstood) {
  EXPECT_THAT(refusal([] { library::resolve("{"); }), ElementsAre(StartsWith("envgen.json:")));
  EXPECT_THAT(refusal([] { library::resolve(R"({"request": {"torch": "2.x"}})"); }),
              ElementsAre("envgen.json#/request/torch: '2.x' is not a version number (only digits and dots are allowed)",
                          "2 means any 2.x; '==2.*' means the same"));
  EXPECT_THAT(refusal([] { library::resolve(R"({"request": {"preset": "colab-t5"}})"); }).front(),
              StartsWith("envgen.json#/request/preset: 'colab-t5' is not one of "));
  EXPECT_THAT(refusal([] { library::resolve(R"({"request": {"gpus": ["auto"]}})"); }),
              ElementsAre("envgen.json#/request/gpus/0: the library does not look at the machine, so auto stands for nothing",
                          "name the value, or run envgen"));
  EXPECT_THAT(refusal([] {
                library::resolve(R"({"request": {"torch": "2.6", "variant": "runtime"}, "outputs": {"pip": ["flash-attn"]}})");
              }).front(),
              "envgen.json#/outputs/pip/0: 'flash-attn' needs nvcc, which a runtime image does not have");
}

TEST(Library, RefusesALockThatIsNotTheProjects) {
  const auto lock = library::resolve(project_of_4090).lock;
  EXPECT_THAT(
      refusal([&] { library::files(R"({"request": {"torch": "2.4"}, "outputs": {"files": ["run"]}})", lock); }),
      ElementsAre("envgen.lock: the lock is out of date: its request differs from the project's", "'envgen lock' updates it"));
  auto edited = lock;
  edited.replace(edited.find("2.3.1"), 5, "2.3.0");
  EXPECT_THAT(refusal([&] { library::files(project_of_4090, edited); }).front(), HasSubstr("envgen.lock"));
  EXPECT_THAT(refusal([&] { library::files(project_of_4090, ""); }).front(), HasSubstr("envgen.lock"));
}

TEST(Library, RefusesAFileThatCannotBeMade) {
  const auto project = R"({"request": {"torch": "2.3"}, "outputs": {"files": ["ci"]}})";
  const auto lock = library::resolve(project).lock;
  EXPECT_THAT(refusal([&] { library::files(project, lock); }).front(), "envgen.json#/outputs/ci_for: ci: no CI service is named");
}

TEST(Library, HasTheVersionOfTheTool) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(printed(folder, {"--version"}), StartsWith("envgen " + std::string(library::version()) + " "));
}

}  // namespace
}  // namespace envgen
