#include <cstdio>
#include <fstream>

#include <gmock/gmock.h>

#include "cli/run_tool.hpp"
#include "support/matrix_folder.hpp"
#include "util/process.hpp"

namespace envgen::cli {
namespace {

using test::run_tool;
using testing::Contains;
using testing::HasSubstr;

/// The script in a file of its own.
class Completion : public testing::Test {
 protected:
  std::string script(const std::string& shell) {
    const auto outcome = run_tool({"completion", shell});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    folder.write("script", outcome.out);
    return (folder.path() / "script").string();
  }
  /// What bash offers for the words; the last one is being typed.
  std::vector<std::string> offered(const std::vector<std::string>& words) {
    const auto file = script("bash");
    std::vector<std::string> argv{
        "bash", "--norc", "-c",
        "source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _envgen; printf '%s\\n' \"${COMPREPLY[@]}\"",
        file};
    argv.insert(argv.end(), words.begin(), words.end());
    const auto result = util::run_process(argv);
    if (!result || !result->ok()) return {"bash failed"};
    EXPECT_EQ(result->err, "");
    std::vector<std::string> lines;
    for (std::string_view rest = result->out; !rest.empty();) {
      const auto end = rest.find('\n');
      if (end > 0) lines.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end, rest.size() - 1) + 1);
    }
    return lines;
  }
  void expect_parses(const std::string& shell, const std::string& flag) {
    const auto file = script(shell);
    const auto result = util::run_process({shell, flag, file});
    if (!result) GTEST_SKIP() << shell << " is not installed";
    EXPECT_TRUE(result->ok()) << result->err;
    EXPECT_EQ(result->err, "");
  }
  test::MatrixFolder folder;
};

TEST_F(Completion, EachShellParsesItsScript) {
  expect_parses("bash", "-n");
  expect_parses("zsh", "-n");
  expect_parses("fish", "--no-execute");
}

TEST_F(Completion, BashOffersCommandsSubjectsOptionsAndChoices) {
  EXPECT_THAT(offered({"envgen", "res"}), testing::ElementsAre("resolve"));
  for (const auto& command : commands()) {
    if (!command.group.empty()) {
      EXPECT_THAT(offered({"envgen", ""}), Contains(std::string(command.name)));
    }
  }
  EXPECT_THAT(offered({"envgen", "list", "c"}), testing::UnorderedElementsAre("cuda", "cudnn"));
  EXPECT_THAT(offered({"envgen", "list", "torch", "--off"}), testing::ElementsAre("--official"));
  EXPECT_THAT(offered({"envgen", "list", "images", "--variant", "d"}), testing::ElementsAre("devel"));
  EXPECT_THAT(offered({"envgen", "list", "images", "--format", "=", "j"}), testing::ElementsAre("json"));
  EXPECT_THAT(offered({"envgen", "list", "torch", "--channel", "all", "--form"}), testing::ElementsAre("--format"));
  EXPECT_THAT(offered({"envgen", "resolve", "--variant", ""}), testing::UnorderedElementsAre("runtime", "devel"));
  EXPECT_THAT(offered({"envgen", "resolve", "--torch", "2.3"}), testing::UnorderedElementsAre("2.3.0", "2.3.1"));
  EXPECT_THAT(offered({"envgen", "--matrix", "list", "sho"}), testing::ElementsAre("show"));
  EXPECT_THAT(offered({"envgen", "show", "os", "ubuntu22"}), testing::ElementsAre("ubuntu22.04"));
  EXPECT_THAT(offered({"envgen", "completion", ""}), testing::UnorderedElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(offered({"envgen", "gpus", "--rank", "b"}), testing::UnorderedElementsAre("bf16", "bandwidth"));
}

TEST_F(Completion, BashOffersChecksOutputsFailuresAndFiles) {
  EXPECT_THAT(offered({"envgen", "validate", "--require", "ip"}), testing::UnorderedElementsAre("ipc", "ipc-host"));
  EXPECT_THAT(offered({"envgen", "validate", "--ipc", ""}),
              testing::UnorderedElementsAre("host", "private", "shareable", "none"));
  EXPECT_THAT(offered({"envgen", "render", "ci", "--for", ""}), testing::UnorderedElementsAre("github", "gitlab"));
  EXPECT_THAT(offered({"envgen", "render", "d"}), testing::UnorderedElementsAre("dockerfile", "devcontainer"));
  folder.write("cuda-209 of today.log", "a log");
  const auto file = (folder.path() / "cuda-209 of today.log").string();
  const auto begun = file.substr(0, file.size() - 2);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"report", "html"}, {"report", "diff"}, {"explain"}, {"diff"}, {"render", "run", "-o"}}) {
    std::vector<std::string> words{"envgen"};
    words.insert(words.end(), command.begin(), command.end());
    words.push_back(begun);
    EXPECT_THAT(offered(words), testing::ElementsAre(file)) << command.front();
  }
  EXPECT_THAT(offered({"envgen", "explain", "cuda-20"}), Contains("cuda-209"));
  EXPECT_THAT(offered({"envgen", "explain", "TE"}), testing::IsEmpty());
}

TEST_F(Completion, ZshAndFishOfferFilesBesideIds) {
  const auto zsh = run_tool({"completion", "zsh"}).out;
  EXPECT_THAT(zsh, HasSubstr("    '/report/html') items=(); "));
  EXPECT_THAT(zsh, testing::ContainsRegex("'/report/html'[^\n]*; files=1 ;;"));
  EXPECT_THAT(zsh, testing::ContainsRegex("'/explain'[^\n]*'cuda-209'[^\n]*; files=1 ;;"));
  EXPECT_THAT(zsh, testing::Not(testing::ContainsRegex("'TEXT'")));
  const auto fish = run_tool({"completion", "fish"}).out;
  EXPECT_THAT(fish, HasSubstr("complete -c envgen -n '__envgen_at \"/explain\"' -F\n"));
}

TEST_F(Completion, FishOffersTheSame) {
  const auto file = script("fish");
  const auto result =
      util::run_process({"fish", "--no-config", "-c",
                         "source " + file + "; complete -C 'envgen list images --variant d'; complete -C 'envgen list c'"});
  if (!result) GTEST_SKIP() << "fish is not installed";
  EXPECT_THAT(result->out, HasSubstr("devel\t"));
  EXPECT_THAT(result->out, HasSubstr("cudnn\t"));
}

TEST_F(Completion, MistakesAreNamed) {
  EXPECT_EQ(run_tool({"completion"}).err,
            "envgen: no shell given\n  envgen completion bash|zsh|fish\n  bash: source <(envgen completion bash)\n");
  EXPECT_EQ(run_tool({"completion", "zhs"}).err, "envgen: 'zhs' is not one of bash, zsh, fish\n  did you mean zsh?\n");
}

TEST_F(Completion, TheManualNamesEveryCommandAndPassesMandoc) {
  const auto outcome = run_tool({"man"});
  EXPECT_EQ(outcome.exit, 0);
  for (const auto& command : commands()) {
    if (!command.group.empty()) {
      EXPECT_THAT(outcome.out, HasSubstr(".Ss \"" + std::string(command.name) + "\""));
    }
  }
  folder.write("envgen.1", outcome.out);
  const auto linted = util::run_process({"mandoc", "-Tlint", "-W", "warning", (folder.path() / "envgen.1").string()});
  if (!linted) GTEST_SKIP() << "mandoc is not installed";
  EXPECT_TRUE(linted->ok());
  EXPECT_EQ(linted->out, "");
}

TEST_F(Completion, TheManualHasTheOptionsOfTheProgramAndOfEachCommand) {
  const auto manual = run_tool({"man"}).out;
  const auto commands_begin = manual.find(".Sh COMMANDS\n");
  EXPECT_LT(manual.find("\n.It Fl \"\\&-matrix\" Ar \"DIR\"\n"), commands_begin);
  EXPECT_LT(manual.find("\n.It Fl \"\\&-version\"\n"), commands_begin);
  const auto resolve = manual.find(".Ss \"resolve\"\n");
  EXPECT_LT(manual.find("\"\\&-torch\" Ar \"VERSION\"\n", resolve), manual.find(".Ss", resolve + 1));
}

TEST_F(Completion, TheManualNamesWhatIsReadFromTheEnvironment) {
  const auto manual = run_tool({"man"}).out;
  for (const auto* name : {"ENVGEN_MATRIX", "ENVGEN_BUILT_IN", "XDG_DATA_HOME", "XDG_CACHE_HOME", "ENVGEN_BENCH", "DOCKER_HOST",
                           "GITHUB_STEP_SUMMARY", "NO_COLOR"})
    EXPECT_THAT(manual, HasSubstr("\n.It Ev " + std::string(name) + "\n"));
  EXPECT_THAT(manual, HasSubstr(".It 9\nFiles or reports differ\n.Pq Fl \\&-check , Cm diff , Cm report diff ,\n"));
  EXPECT_THAT(manual, HasSubstr("\n.Dl envgen validate "));
}

TEST(Help, NamesTheWholeCommand) {
  EXPECT_THAT(run_tool({"resolve", "--help"}).out, HasSubstr("Usage: envgen resolve "));
  EXPECT_THAT(run_tool({"list", "torch", "--help"}).out, HasSubstr("Usage: envgen list torch "));
}

TEST_F(Completion, TheManualIsNotInTheHelp) { EXPECT_THAT(run_tool({"--help"}).out, testing::Not(HasSubstr("\n  man "))); }

}  // namespace
}  // namespace envgen::cli
