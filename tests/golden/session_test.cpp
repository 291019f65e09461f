// tests/golden/sessions/NAME.txt: what a person would see who types one command after another. A line that begins with `$ envgen`
// is a command; below it stand its output, its messages (`2> `), and its exit status where that is not 0. Lines before the first
// command say what the session is for. The facts are those of tests/golden/matrix, so that nothing here changes with matrix/.
#include <algorithm>
#include <vector>

#include "tool.hpp"
#include "util/process.hpp"

namespace envgen::golden {
namespace {

const std::string prompt = "$ envgen";

std::vector<std::string> session_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(GOLDEN_FOLDER) / "sessions"))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The words of a line, apart by blanks; '...' keeps its blanks.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false;
  bool inside = false;
  for (const char letter : line) {
    if (letter == '\'') {
      quoted = !quoted;
      if (!inside) words.emplace_back();
      inside = true;
    } else if (letter == ' ' && !quoted) {
      inside = false;
    } else {
      if (!inside) words.emplace_back();
      inside = true;
      words.back() += letter;
    }
  }
  return words;
}

/// What a command shows.
std::string shown(const std::string& arguments) {
  auto command = words_of(arguments);
  command.insert(command.begin(), tool());
  util::ProcessLimits limits;
  limits.environment = {"ENVGEN_MATRIX=matrix"};
  const auto result = util::run_process(command, limits);
  if (!result) return result.error().message + "\n";
  auto text = result->out;
  if (!text.empty() && text.back() != '\n') text += "[no end of the line]\n";
  std::istringstream messages(result->err);
  for (std::string line; std::getline(messages, line);) text += "2> " + line + "\n";
  if (result->exit_status != 0) text += "[exit " + std::to_string(result->exit_status) + "]\n";
  return text;
}

class Session : public testing::TestWithParam<std::string> {};

TEST_P(Session, ShowsWhatItMust) {
  const std::filesystem::path folder = GOLDEN_FOLDER;
  std::filesystem::current_path(folder);
  const auto file = folder / "sessions" / (GetParam() + ".txt");
  const auto expected = read(file);
  std::string text;
  std::size_t commands = 0;
  std::istringstream lines(expected);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(prompt)) {
      const auto output = shown(line.substr(prompt.size()));
      ASSERT_EQ(output.find("\n" + prompt), std::string::npos) << "its output would be taken for a command";
      text += (commands++ == 0 ? "" : "\n") + line + "\n" + output;
    } else if (commands == 0) {
      text += line + "\n";
    }
  }
  ASSERT_GT(commands, 0U);
  if (updating()) {
    write(file, text);
    return;
  }
  EXPECT_EQ(expected, text);
}

INSTANTIATE_TEST_SUITE_P(Sessions, Session, testing::ValuesIn(session_names()), [](const auto& one) {
  auto name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace envgen::golden
