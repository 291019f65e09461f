#include "cli/examples.hpp"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include "cli/command_tree.hpp"
#include "cli/commands.hpp"
#include "cli/run_tool.hpp"

/// The examples of help are command lines that envgen takes, and every help has some.
namespace envgen::cli {
namespace {

/// The words of envgen itself in a line of a shell: `docker run ... | envgen explain` -> explain.
std::vector<std::string> words_of(std::string_view line) {
  std::string text(line.substr(line.find("envgen ")));
  text = text.substr(0, text.find_first_of("|>)", text.find('\'') == std::string::npos ? 0 : text.rfind('\'')));
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : text + " ") {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      if (!word.empty()) words.push_back(std::exchange(word, {}));
    } else {
      word += c;
    }
  }
  words.erase(words.begin());
  return words;
}

/// Empty where the command line is understood; else what is wrong with it.
std::string parsed(std::vector<std::string> words) {
  Context context(matrix::embedded_with_documents());
  CLI::App app;
  set_up_app(app, context);
  std::vector<Action> actions;  // they keep what the options write to
  for (const auto& command : commands()) {
    if (command.name != words.front()) continue;
    actions.push_back(command.setup(*app.add_subcommand(std::string(command.name), ""), context));
  }
  std::reverse(words.begin(), words.end());  // CLI11 takes them so
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return actions.empty() ? "no such command" : "";
}

TEST(Examples, AreUnderstood) {
  for (const auto& example : examples()) EXPECT_EQ(parsed(words_of(example.line)), "") << example.line;
  EXPECT_NE(parsed(words_of("envgen resolve --tourch 2.3")), "");
}

TEST(Examples, OfAnAnswerAreAnswered) {
  for (const auto& example : examples()) {
    const auto words = words_of(example.line);
    const bool reads_facts = words.front() == "why" || words.front() == "show" || words.front() == "list" ||
                             words.front() == "gpus" || words.front() == "checks";
    if (!reads_facts) continue;
    EXPECT_NE(test::run_tool(words).exit, static_cast<int>(Exit::usage)) << example.line;
  }
}

void expect_examples(const CommandNode& node, const std::string& path) {
  if (!path.empty()) {
    std::istringstream split(path);
    std::vector<std::string> words(std::istream_iterator<std::string>(split), {});
    words.emplace_back("--help");
    EXPECT_THAT(test::run_tool(words).out, testing::ContainsRegex("\nExamples:\n  .*\n  ")) << path;
  }
  for (const auto& child : node.children) expect_examples(child, path.empty() ? child.name : path + " " + child.name);
}

TEST(Examples, EndEveryHelp) { expect_examples(command_tree(matrix::embedded()), ""); }

}  // namespace
}  // namespace envgen::cli
