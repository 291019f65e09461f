// The tool on a terminal: a pseudo-terminal of a known width, since colour and wrapping are for terminals alone.
#include <algorithm>
#include <cerrno>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"
#include "util/process.hpp"

namespace envgen::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

/// The tool and its words behind `env`, which sets and (-u) unsets variables.
Words command(Words variables, const Words& words) {
  Words argv{"env", "-u", "NO_COLOR"};
  argv.insert(argv.end(), variables.begin(), variables.end());
  argv.emplace_back(ENVGEN_TOOL);
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

/// What a program shows on a terminal that is `columns` wide. It runs in a folder of its own and must end with `expected`.
std::string on_terminal(std::size_t columns, Words argv, int expected = 0) {
  const test::TemporaryFolder folder;
  std::vector<char*> pointers;
  for (auto& word : argv) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<unsigned short>(columns);
  int terminal = -1;
  const auto child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    if (::chdir(folder.path().c_str()) == 0) ::execvp(pointers.front(), pointers.data());
    ::_exit(127);
  }
  EXPECT_GT(child, 0);
  if (child < 0) return {};
  std::string shown;
  char buffer[4096];
  for (;;) {  // until the child has closed its side, which reads as EIO
    const auto count = ::read(terminal, buffer, sizeof(buffer));
    if (count > 0) shown.append(buffer, static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) break;
  }
  ::close(terminal);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == expected) << status << ": " << shown;
  shown.erase(std::remove(shown.begin(), shown.end(), '\r'), shown.end());  // a terminal ends its lines with CR LF
  return shown;
}

std::string in_colour(std::size_t columns, const Words& words) { return on_terminal(columns, command({"TERM=xterm"}, words)); }

std::string without_escapes(const std::string& text) { return std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), ""); }

class OnTerminal : public testing::TestWithParam<Words> {};

TEST_P(OnTerminal, NoLineIsWider) {
  // A line with nothing but a source's URL, or a command, is never broken, so that it can be copied (answers/answer_text.cpp).
  const std::regex copied(" *<https?://[^ ]+>|  (pip|uv|conda|docker|python3[.0-9]*|CONDA_OVERRIDE_CUDA=.*) .*|Next: envgen .*");
  const std::regex example("  envgen .*");  // of a help page, which fits a usual terminal
  constexpr std::size_t usual = 80;
  for (const std::size_t width : {80U, 60U, 40U}) {
    std::istringstream lines(without_escapes(in_colour(width, GetParam())));
    for (std::string line; std::getline(lines, line);) {
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
      const bool is_example = width < usual && std::regex_match(line, example);
      if (static_cast<std::size_t>(columns) > width && !is_example && !std::regex_match(line, copied))
        ADD_FAILURE() << "wider than " << width << ": " << line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, OnTerminal,
                         testing::Values(Words{"list", "torch"}, Words{"list", "images"}, Words{"list", "gpus"},
                                         Words{"list", "drivers"}, Words{"list", "cuda"}, Words{"list", "cudnn"},
                                         Words{"list", "tensorflow"}, Words{"list", "os"}, Words{"list", "presets"},
                                         Words{"list", "mirrors"}, Words{"show", "torch", "2.3.1"}, Words{"show", "gpu", "4090"},
                                         Words{"gpus", "--rank", "fp16"}, Words{"resolve", "--torch", "2.3", "--cuda", "12.1"},
                                         Words{"--help"}, Words{"resolve", "--help"}, Words{"render", "--help"}),
                         [](const auto& one) {
                           std::string name;
                           for (const auto& word : one.param) name += name.empty() ? word : "_" + word;
                           name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }),
                                      name.end());
                           return name;
                         });

TEST(Terminal, ListsAreTablesOfWholeWordsAt80Columns) {
  const auto gpus = without_escapes(in_colour(80, {"list", "gpus"}));
  EXPECT_THAT(gpus, StartsWith("GPU "));
  for (const auto* word : {"architecture", "capability", "datacenter", "workstation"}) EXPECT_THAT(gpus, HasSubstr(word));
  EXPECT_THAT(without_escapes(in_colour(80, {"list", "drivers"})), HasSubstr(" developer "));
}

TEST(Terminal, AListIsBlocksWhereItsTableDoesNotFit) {
  EXPECT_THAT(without_escapes(in_colour(40, {"list", "drivers", "--cuda", "12.1"})),
              HasSubstr("\nbranch: 550\nkind: production\n"));
}

TEST(Terminal, HasColourUnlessItIsDumbOrNoColorSaysNo) {
  const Words words{"show", "driver", "550"};
  const auto title = [&](Words variables) { return on_terminal(80, command(std::move(variables), words)); };
  for (const Words& variables : {Words{"TERM=xterm"}, Words{"TERM=xterm", "NO_COLOR="}})
    EXPECT_THAT(title(variables), StartsWith("\x1b[1mdriver branch 550\x1b[0m\n"));
  for (const Words& variables : {Words{"TERM=xterm", "NO_COLOR=1"}, Words{"TERM=dumb"}, Words{"-u", "TERM"}}) {
    const auto shown = title(variables);
    EXPECT_THAT(shown, StartsWith("driver branch 550\n"));
    EXPECT_THAT(shown, Not(HasSubstr("\x1b")));
  }
}

TEST(Terminal, IsNotFilledWithTheFactsAsJson) {
  for (const Words& words : {Words{"matrix", "export"}, Words{"matrix", "export", "json"}})
    EXPECT_EQ(on_terminal(80, command({"TERM=xterm"}, words), 2),
              "envgen: the data is too much JSON for a terminal\n"
              "  -o FOLDER writes them as the files of matrix/\n"
              "  envgen matrix export json > facts.json\n");
  EXPECT_THAT(on_terminal(80, command({"TERM=xterm"}, {"matrix", "export", "markdown"})), StartsWith("# Compatibility\n"));
}

TEST(Terminal, APipeHasNeitherColourNorWidth) {
  const auto piped = util::run_process(command({"TERM=xterm"}, {"list", "presets"}));
  ASSERT_TRUE(piped);
  EXPECT_THAT(piped->out, StartsWith("preset "));
  EXPECT_THAT(piped->out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(piped->out, HasSubstr("--python 3.12 --gpu T4 --os ubuntu22.04"));  // a terminal would wrap it
}

}  // namespace
}  // namespace envgen::cli
