#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/matrix_folder.hpp"
#include "util/process.hpp"

/// ENVGEN_MATRIX: the folders of the matrix where no `--matrix` names them.
namespace envgen::cli {
namespace {

namespace fs = std::filesystem;

using test::MatrixFolder;
using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

const std::string shipped = fs::path(ENVGEN_SCHEMA_FOLDER).parent_path() / "matrix";

util::ProcessResult tool(const std::string& variable, Words words) {
  words.insert(words.begin(), ENVGEN_TOOL);
  auto result = util::run_process(words, {.environment = {"ENVGEN_MATRIX=" + variable}});
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : util::ProcessResult{};
}

/// A layer with a rule of its own: NumPy is pinned to `spec`.
void write_rule(const MatrixFolder& folder, const std::string& spec) {
  folder.write("pitfalls.json", fmt::format(R"({{
    "sources": {{"house": {{"what": "a rule of the house", "url": null, "read": "2026-11-21"}}}},
    "rules": [{{"id": "house-numpy", "title": "NumPy of the house", "when": {{"torch": ">=2.3"}},
                "action": {{"pin": {{"package": "numpy", "spec": "{}"}}}},
                "symptom": null, "why": "the house says so", "fix": null, "source": "house"}}]}})",
                                            spec));
}

/// What torch 2.3 is told to install besides: `setuptools<82 numpy<2`.
std::string pins(const std::string& variable, const Words& flags = {}) {
  Words words{"resolve", "--torch", "2.3", "--format", "json"};
  words.insert(words.end(), flags.begin(), flags.end());
  const auto result = tool(variable, words);
  EXPECT_EQ(result.exit_status, 0) << result.out;
  const auto answer = Json::parse(result.out);
  std::string text;
  for (const auto& pin : answer["pins"])
    text += (text.empty() ? "" : " ") + pin["package"].get<std::string>() + pin["spec"].get<std::string>();
  return text;
}

TEST(MatrixVariable, NamesAFolderInPlaceOfTheBuiltInFacts) {
  const MatrixFolder folder;
  fs::copy(shipped, folder.path(), fs::copy_options::recursive);
  EXPECT_EQ(pins(folder.path()), "setuptools<82");
  write_rule(folder, "<2");
  EXPECT_EQ(pins(folder.path()), "numpy<2") << "the rules of the folder are all there are";
}

TEST(MatrixVariable, ALayerChangesAnAnswer) {
  const MatrixFolder layer;
  write_rule(layer, "<2");
  EXPECT_EQ(pins(shipped), "setuptools<82");
  EXPECT_EQ(pins(shipped + ":" + layer.path().string()), "setuptools<82 numpy<2");
}

TEST(MatrixVariable, LaterFoldersLieOverEarlierOnes) {
  const MatrixFolder first;
  const MatrixFolder second;
  write_rule(first, "<2");
  write_rule(second, "<1.27");
  const auto both = fmt::format("{}:{}:{}", shipped, first.path().string(), second.path().string());
  EXPECT_EQ(pins(both), "setuptools<82 numpy<1.27");
  EXPECT_EQ(pins(fmt::format("{}:{}:{}", shipped, second.path().string(), first.path().string())), "setuptools<82 numpy<2");
  EXPECT_EQ(Json::parse(tool(both, {"matrix", "info", "--format", "json"}).out)["origin"],
            fmt::format("{}, {}, {}", shipped, first.path().string(), second.path().string()));
}

TEST(MatrixVariable, EmptyPartsAreNothing) {
  const MatrixFolder layer;
  write_rule(layer, "<2");
  EXPECT_EQ(pins(fmt::format(":{}::{}:", shipped, layer.path().string())), "setuptools<82 numpy<2");
  for (const auto* nothing : {"", ":", "::"})
    EXPECT_EQ(Json::parse(tool(nothing, {"matrix", "info", "--format", "json"}).out)["origin"], "built in") << nothing;
}

TEST(MatrixVariable, YieldsToTheFlag) {
  const MatrixFolder layer;
  write_rule(layer, "<2");
  const auto layered = shipped + ":" + layer.path().string();
  EXPECT_EQ(pins(layered, {"--matrix", shipped}), "setuptools<82");
  EXPECT_EQ(pins("/nonexistent", {"--matrix", shipped, "--matrix", layer.path()}), "setuptools<82 numpy<2");
}

TEST(MatrixVariable, ReachesEveryCommandThatReadsFacts) {
  const MatrixFolder layer;
  layer.write("presets.json", R"({
    "sources": {"house": {"what": "the machines of the house", "url": null, "check": "look", "read": "2026-11-21"}},
    "presets": [{"name": "house", "what": "the machine in the cellar", "request": {"torch": "2.3"}, "source": "house"}]})");
  const auto layered = shipped + ":" + layer.path().string();
  EXPECT_THAT(tool(layered, {"list", "presets"}).out, HasSubstr("the machine in the cellar"));
  EXPECT_THAT(tool(layered, {"resolve", "--preset", "house"}).out, StartsWith("torch 2.3.1 "));
  EXPECT_THAT(tool(layered, {"render", "requirements", "--preset", "house"}).out, StartsWith("# torch 2.3.1, "));
  EXPECT_THAT(tool(layered, {"lock", "--preset", "house", "-o", "-"}).out, HasSubstr("\"version\": \"2.3.1\""));
  EXPECT_EQ(tool(layered, {"matrix", "lint"}).err,
            fmt::format("envgen: no findings in {}, {}\n", shipped, layer.path().string()));
}

TEST(MatrixVariable, AFolderThatIsNotThereIsNamed) {
  const std::string refusal =
      "envgen: /nonexistent: no such folder\n  the environment variable ENVGEN_MATRIX names this folder\n";
  for (const auto& variable : {std::string("/nonexistent"), shipped + ":/nonexistent"}) {
    const auto result = tool(variable, {"resolve", "--torch", "2.3"});
    EXPECT_EQ(result.exit_status, 4) << variable;
    EXPECT_EQ(result.out, "") << variable;
    EXPECT_EQ(result.err, refusal) << variable;
  }
  const auto json = tool("/nonexistent", {"resolve", "--torch", "2.3", "--format", "json"});
  EXPECT_EQ(json.exit_status, 4);
  EXPECT_EQ(Json::parse(json.out)["error"], (Json{{"code", "bad_input"},
                                                  {"message", "no such folder"},
                                                  {"origin", "/nonexistent"},
                                                  {"hints", {"the environment variable ENVGEN_MATRIX names this folder"}}}));
}

TEST(MatrixVariable, AFolderWithoutMatrixFilesIsNamed) {
  const MatrixFolder empty;
  const auto result = tool(empty.path(), {"resolve", "--torch", "2.3"});
  EXPECT_EQ(result.exit_status, 4);
  EXPECT_EQ(result.err,
            fmt::format("envgen: {}: there is no matrix file in this folder\n  a layer contains files such as torch.json or "
                        "gpus.json\n  the environment variable ENVGEN_MATRIX names this folder\n",
                        empty.path().string()));
}

TEST(MatrixVariable, IsNotReadWhereNoFactIsAskedFor) {
  EXPECT_EQ(tool("/nonexistent", {"--help"}).exit_status, 0);
  EXPECT_EQ(tool("/nonexistent", {"resolve", "--help"}).exit_status, 0);
  EXPECT_EQ(tool("/nonexistent", {"--version"}).exit_status, 0);
}

}  // namespace
}  // namespace envgen::cli
