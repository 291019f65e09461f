#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_tool.hpp"
#include "support/temporary_folder.hpp"
#include "util/process.hpp"

/// What the help promises: every command has one, and every option in it does something.
namespace envgen::cli {
namespace {

namespace fs = std::filesystem;

using test::Outcome;
using test::run_tool;
using test::TemporaryFolder;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A folder with a project, its lock, and files that are not envgen's. Each command gets a copy.
class Workplace {
 public:
  Workplace() {
    ::setenv("ENVGEN_BENCH", BENCH_PROGRAM, 1);
    folder_.write("envgen.json", R"({"request": {"torch": "2.3"}, "outputs": {"files": ["dockerfile"]}})");
    EXPECT_EQ(run_in(folder_, {"lock"}).exit, 0);
    folder_.write("my.lock", "my notes");
    fs::create_directory(folder_.path() / "taken");
    folder_.write("taken/Dockerfile", "FROM mine\n");
    fs::create_directory(folder_.path() / "unlocked");
    fs::copy_file(folder_.path() / "envgen.json", folder_.path() / "unlocked/envgen.json");
  }

  ~Workplace() { ::unsetenv("ENVGEN_BENCH"); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  Outcome run(const Words& words) const {
    const TemporaryFolder copy;
    fs::copy(folder_.path(), copy.path(), fs::copy_options::recursive);
    return run_in(copy, words);
  }

 private:
  /// In this process, for hundreds of starts would take most of a minute; but `bench` becomes another program.
  static Outcome run_in(const TemporaryFolder& folder, const Words& words) {
    const auto before = fs::current_path();
    fs::current_path(folder.path());
    auto outcome = words.front() == "bench" ? run_apart(words) : run_tool(words);
    fs::current_path(before);
    return outcome;
  }
  static Outcome run_apart(const Words& words) {
    const auto result = util::run_process(with({ENVGEN_TOOL}, words));
    EXPECT_TRUE(result) << result.error().message;
    return result ? Outcome{result->exit_status, result->out, result->err} : Outcome{};
  }

  TemporaryFolder folder_;
};

struct Entry {
  std::string group;
  std::string name;  ///< `resolve`, `--torch`
  std::string rest;  ///< `VERSION  what it is`, the summary of a command
};

/// The entries of a help text: two spaces, a name, and what is said of it on that line or below it. Examples are command lines.
std::vector<Entry> entries_of(const std::string& help) {
  std::vector<Entry> entries;
  std::istringstream lines(help);
  std::string group;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() != ' ' && line.back() == ':') group = line.substr(0, line.size() - 1);
    if (!line.starts_with("  ") || line.size() < 3 || group == "Examples") continue;
    if (line[2] == ' ') {
      if (!entries.empty()) entries.back().rest += line;  // below a long name
      continue;
    }
    line.erase(0, line.starts_with("  -") && line.find(",--") == 4 ? 5 : 2);  // -o,--output
    const auto end = std::min(line.find(' '), line.size());
    const auto names = line.substr(0, end);  // --gpu,--gpus
    entries.push_back({group, names.substr(0, names.find(',')), line.substr(end)});
  }
  return entries;
}

std::string text_of(const Words& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string help_of(const Words& command) {
  const auto result = run_tool(with(command, {"--help"}));
  EXPECT_EQ(result.exit, 0) << text_of(command);
  return result.out;
}

struct Summary {
  Words command;
  std::string text;
};

/// `resolve`, `list`, `list torch` ...: what the help lists, and what the help of those lists.
std::vector<Summary> all_commands(const Words& above = {}) {
  std::vector<Summary> commands;
  for (const auto& entry : entries_of(help_of(above))) {
    if (entry.group == "Options" || entry.group == "Arguments" || entry.name.starts_with('-')) continue;
    const auto command = with(above, {entry.name});
    commands.push_back({command, entry.rest.substr(entry.rest.find_first_not_of(' '))});
    for (auto& below : all_commands(command)) commands.push_back(std::move(below));
  }
  return commands;
}

struct Option {
  Words command;
  std::string name;
  bool takes_value = false;
  bool repeats = false;
};

std::vector<Option> all_options() {
  std::vector<Option> options;
  for (const auto& [command, text] : all_commands()) {
    for (const auto& entry : entries_of(help_of(command))) {
      if (!entry.name.starts_with("--") || entry.name == "--help") continue;
      const auto said = entry.rest.substr(0, entry.rest.find("  "));  // ` VERSION`
      const auto first = said.empty() ? said : said.substr(1, said.find(' ', 1) - 1);
      options.push_back({command, entry.name, !first.empty(), entry.rest.find("repeat") != std::string::npos});
    }
  }
  return options;
}

/// What asks the network is tried against servers of the tests' own: tests/update, tests/e2e/update.sh and hostile.sh.
bool asks_the_network(const Words& command) {
  return command == Words{"matrix", "update"} || command == Words{"matrix", "verify"} || command == Words{"matrix", "add"};
}

/// The command with what it needs to succeed in the workplace.
Words complete(const Words& command) {
  const std::string saved_report = ENVGEN_SCHEMA_FOLDER "/../tests/golden/reports/two-gpus.json";
  static const std::map<std::string, Words> needs{{"why", {"torch", "2.3"}},
                                                  {"init", {"--force"}},
                                                  {"diff", {"envgen.lock", "envgen.lock"}},
                                                  {"explain", {"cuda-209"}},
                                                  {"validate", {"no-such-image"}},
                                                  {"bench", {"--list"}},
                                                  {"render", {"dockerfile"}},
                                                  {"inspect", {ENVGEN_SCHEMA_FOLDER "/../tests/golden/wheels/libtorch_cuda.so"}},
                                                  {"report html", {saved_report}},
                                                  {"report junit", {saved_report}},
                                                  {"report markdown", {saved_report}},
                                                  {"report github", {saved_report}},
                                                  {"report text", {saved_report}},
                                                  {"report diff", {saved_report, saved_report}},
                                                  {"show torch", {"2.3"}},
                                                  {"show tensorflow", {"2.15"}},
                                                  {"show gpu", {"4090"}},
                                                  {"show cuda", {"12.1"}},
                                                  {"show cudnn", {"8.9"}},
                                                  {"show driver", {"535"}},
                                                  {"show image", {"12.1.1-cudnn8-devel-ubuntu22.04"}},
                                                  {"show os", {"jammy"}},
                                                  {"matrix lint", {ENVGEN_SCHEMA_FOLDER "/../matrix"}},
                                                  {"completion", {"bash"}}};
  const auto found = needs.find(text_of(command));
  return found == needs.end() ? command : with(command, found->second);
}

TEST(Help, OfEveryCommandBeginsWithWhatTheListSays) {
  const auto commands = all_commands();
  EXPECT_GE(commands.size(), 30U);
  for (const auto& [command, text] : commands)
    EXPECT_THAT(help_of(command), StartsWith(fmt::format("{}\nUsage: envgen {} ", text, text_of(command))));
}

TEST(Help, OfNoCommandListsThemAll) {
  for (const auto* name : {"resolve", "why", "init", "lock", "diff", "schema", "generate", "render", "list", "show", "explain",
                           "validate", "bench", "report", "checks", "gpus", "matrix", "completion"})
    EXPECT_THAT(help_of({}), HasSubstr(fmt::format("\n  {} ", name)));
}

TEST(Help, ListsCommandsThatWork) {
  const Workplace workplace;
  for (const auto& [command, text] : all_commands()) {
    if (command == Words{"list"} || command == Words{"show"} || command == Words{"matrix"} || command == Words{"report"})
      continue;                                                               // of what?
    if (command == Words{"validate"} || asks_the_network(command)) continue;  // the former needs an engine
    const auto result = workplace.run(complete(command));
    EXPECT_EQ(result.exit, 0) << text_of(complete(command)) << ": " << result.err;
    EXPECT_NE(result.out + result.err, "") << text_of(complete(command));
  }
}

TEST(Help, ShowsDotsWhereSeveralValuesAreTaken) {
  const auto validate = help_of({"validate"});
  EXPECT_THAT(validate,
              AllOf(HasSubstr("\n  --require CHECK             fail"), HasSubstr("\n  -o,--output FILE            write"),
                    HasSubstr("\n  --gpu NAME                  a GPU")));
  EXPECT_THAT(help_of({"why"}), HasSubstr("\n  FIELD VALUE ...             fields and values: "));
}

TEST(EveryOption, WithoutItsValueIsAMistake) {
  const Workplace workplace;
  for (const auto& option : all_options()) {
    if (!option.takes_value) continue;
    const auto result = workplace.run(with(complete(option.command), {option.name}));
    EXPECT_EQ(result.exit, 2) << text_of(option.command) << " " << option.name;
    EXPECT_THAT(result.err, StartsWith(fmt::format("envgen: {} needs a value: ", option.name))) << text_of(option.command);
  }
}

TEST(EveryOption, IsGivenOnceUnlessItRepeats) {
  const Workplace workplace;
  const std::map<std::string, std::string> choices{{"--format", "json"},   {"--rank", "fp16"},       {"--limit", "1"},
                                                   {"--profile", "full"},  {"--bench", ENVGEN_TOOL}, {"--timeout", "1"},
                                                   {"--engine", "docker"}, {"--tolerance", "5"}};
  for (const auto& option : all_options()) {
    if (asks_the_network(option.command) && !option.takes_value) continue;  // it would be done
    const auto choice = choices.find(option.name);
    const Words once =
        option.takes_value ? Words{option.name, choice == choices.end() ? "x" : choice->second} : Words{option.name};
    const auto result = workplace.run(with(with(complete(option.command), once), once));
    const auto what = text_of(option.command) + " " + option.name;
    EXPECT_NE(result.exit, 1) << what << ": " << result.err;
    if (!option.takes_value || option.repeats) continue;
    EXPECT_EQ(result.exit, 2) << what;
    EXPECT_THAT(result.err, StartsWith(fmt::format("envgen: {}: given 2 times, but it takes one value\n", option.name))) << what;
  }
}

/// A value that nothing can be: no version, no name, no number, and no place for a file. An option that takes it does not look
/// at its value.
TEST(EveryOption, LooksAtItsValue) {
  const Workplace workplace;
  for (const auto& option : all_options()) {
    if (!option.takes_value) continue;
    const auto result = workplace.run(with(complete(option.command), {option.name, "/dev/null/\x01 x"}));
    const auto what = text_of(option.command) + " " + option.name;
    EXPECT_THAT(result.exit, AnyOf(2, 4)) << what;
    EXPECT_EQ(result.out, "") << what;
    EXPECT_THAT(result.err, AnyOf(HasSubstr(option.name + ": "), HasSubstr("/dev/null"))) << what;
  }
}

/// For each flag a command that it changes.
TEST(EveryFlag, ChangesWhatComes) {
  const Words old_driver{"--torch", "2.3", "--cuda", "12.1", "--driver", "525"};
  const Words inferred_image{"--torch", "2.1.1", "--cuda", "11.8", "--variant", "devel", "--base", "pytorch"};
  const Words to_output{"-o", "-"};
  const Words to_taken{"-o", "taken"};
  const std::map<std::string, Words> commands{
      {"resolve --wsl", {"--gpu", "4090"}},
      {"resolve --ptx", old_driver},
      {"resolve --allow-inferred", inferred_image},
      {"resolve --all", {"--torch", "2.3"}},
      {"resolve --explain", {"--torch", "2.3"}},
      {"resolve --sources", {"--torch", "2.3"}},
      {"why --sources", {"torch", "2.3"}},
      {"why --all", {"cuda", "11.8"}},
      {"init --wsl", with(to_output, {"--gpu", "4090"})},
      {"init --ptx", with(to_output, old_driver)},
      {"init --allow-inferred", with(to_output, inferred_image)},
      {"init --force", {}},
      {"init --legacy-builder", to_output},
      {"init --podman", to_output},
      {"init --no-compiler", to_output},
      {"init --multi-stage", to_output},
      {"init --jupyter", to_output},
      {"init --ssh", to_output},
      {"init --require-gpu", to_output},
      {"init --needs-nvcc", to_output},
      {"init --explicit-toolkit", to_output},
      {"lock --wsl", with(to_output, {"--gpu", "4090"})},
      {"lock --ptx", with(to_output, old_driver)},
      {"lock --allow-inferred", with(to_output, inferred_image)},
      {"lock --check", {}},
      {"lock --force", {"-o", "my.lock"}},
      {"lock --freeze", {"--installer", "conda"}},  // refused before uv, which may be here or not
      {"generate --locked", {"--project", "unlocked/envgen.json"}},
      {"generate --check", to_taken},
      {"generate --diff", to_taken},
      {"generate --force", to_taken},
      {"render --wsl", {"dockerfile", "--gpu", "4090"}},
      {"render --ptx", with({"dockerfile"}, old_driver)},
      {"render --allow-inferred", with({"dockerfile"}, inferred_image)},
      {"render --legacy-builder", {"dockerfile"}},
      {"render --podman", {"run"}},
      {"render --no-compiler", {"dockerfile", "--torch", "2.3"}},
      {"render --multi-stage", {"dockerfile", "--torch", "2.3", "--cuda", "12.1", "--variant", "devel"}},
      {"render --jupyter", {"run"}},
      {"render --ssh", {"run"}},
      {"render --require-gpu", {"devcontainer"}},
      {"render --needs-nvcc", {"dockerfile"}},
      {"render --explicit-toolkit", {"conda", "--installer", "conda"}},
      {"render --check", with({"dockerfile"}, to_taken)},
      {"render --diff", with({"dockerfile"}, to_taken)},
      {"render --force", with({"dockerfile"}, to_taken)},
      {"validate --here", {"no-such-image"}},
      {"validate --cdi", {"no-such-image", "--gpus", "2"}},
      {"show torch --all", {"2.3"}},
      {"show torch --sources", {"2.3"}},
      {"show tensorflow --all", {}},
      {"show tensorflow --sources", {}},
      {"show gpu --all", {"4090"}},
      {"show gpu --sources", {"4090"}},
      {"show cuda --all", {"12.1"}},
      {"show cuda --sources", {"12.1"}},
      {"show cudnn --all", {"9.1"}},
      {"show cudnn --sources", {"9.1"}},
      {"show driver --all", {"535"}},
      {"show driver --sources", {"535"}},
      {"show image --sources", {"nvidia/cuda:12.1.1-devel-ubuntu22.04"}},
      {"show os --all", {"jammy"}},
      {"show os --sources", {"jammy"}},
      {"list torch --official", {}},
      {"list gpus --laptop", {}},
      {"gpus --laptop", {}},
  };
  const Workplace workplace;
  for (const auto& option : all_options()) {
    if (option.takes_value || asks_the_network(option.command)) continue;
    const auto what = text_of(option.command) + " " + option.name;
    const bool json = option.name == "--json";  // it changes whatever the command prints
    const auto found = commands.find(what);
    ASSERT_TRUE(json || found != commands.end()) << what << " is new: name a command that it changes";
    const auto line = json ? complete(option.command) : with(option.command, found->second);
    const auto without = workplace.run(line);
    const auto result = workplace.run(with(line, {option.name}));
    EXPECT_NE(without.exit, 1) << what;
    EXPECT_NE(result.exit, 1) << what << ": " << result.err;
    EXPECT_FALSE(result.exit == without.exit && result.out == without.out && result.err == without.err) << what;
  }
}

}  // namespace
}  // namespace envgen::cli
