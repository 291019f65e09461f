#include "util/table.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace envgen::util {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The columns of the widest line.
std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto count = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    most = std::max(most, static_cast<std::size_t>(count));
  }
  return most;
}

/// `list gpus` in small: nine columns of one word or two, most of them to the right.
Table gpus() {
  Table table({"GPU", "class", "architecture", "capability", "memory", "GB/s", "fp32", "fp16", "power"},
              {false, false, false, true, true, true, true, true, true});
  table.add({"RTX PRO 6000 Blackwell Workstation Edition", "workstation", "Blackwell", "12.0", "96 GB", "1792", "125", "503.8",
             "600 W"});
  table.add({"A100-SXM4-80GB", "datacenter", "Ampere", "8.0", "80 GB", "2039", "19.5", "311.9", "400 W"});
  return table;
}

TEST(Table, AlignsColumnsAndLeavesNoTrailingSpace) {
  Table table({"torch", "GB"}, {false, true});
  table.add({"2.3.1", "24"});
  table.add({"2.10.0", "8"});
  EXPECT_EQ(table.text({}), "torch   GB\n2.3.1   24\n2.10.0   8\n");
}

TEST(Table, FitsTheTerminalByWrappingItsWidestColumn) {
  Table table({"torch", "SASS"});
  table.add({"2.3.1", "5.0 6.0 7.0 7.5 8.0 8.6 9.0"});
  EXPECT_EQ(table.text({24, false}), "torch  SASS\n2.3.1  5.0 6.0 7.0 7.5\n       8.0 8.6 9.0\n");
}

TEST(Table, BreaksAWordThatIsWiderThanItsColumn) {
  Table table({"image"});
  table.add({std::string(20, 'x')});
  EXPECT_EQ(table.text({12, false}), "image\nxxxxxxxxxxxx\nxxxxxxxx\n");
}

TEST(Table, CountsCodePointsAndNotBytes) {
  Table table({"a", "b"});
  table.add({"é", "1"});
  EXPECT_EQ(table.text({}), "a  b\né  1\n");
}

TEST(Table, WithoutTitlesStartsWithItsRows) {
  Table table({});
  table.add({"memory", "24 GB"});
  EXPECT_EQ(table.text({}), "memory  24 GB\n");
}

TEST(Table, MarksTitlesOnlyWhereColourIsWelcome) {
  Table table({"GPU"});
  EXPECT_EQ(table.text({0, true}), "\x1b[1mGPU\x1b[0m\n");
  EXPECT_EQ(table.text({0, false}), "GPU\n");
}

TEST(Table, EmptyIsItsTitles) { EXPECT_EQ(Table({"GPU", "class"}).text({}), "GPU  class\n"); }

TEST(Table, FitsEveryTerminal) {
  Table images({"image", "CUDA", "OS", "gate"});
  images.add({"nvidia/cuda:12.1.1-cudnn8-devel-ubuntu22.04", "12.1.1", "ubuntu22.04", "CUDA 12.1 (R470, R525 too)"});
  Table fields({});
  fields.add({"driver for any build of this major", "525.60.13"});
  fields.add({"read", "https://docs.nvidia.com/deeplearning/cudnn/backend/latest/reference/support-matrix.html"});
  Table accents({"größe", "Straße", "données"});
  accents.add({"äöüßäöüßäöüß", "éèêëéèêëéèêëéèêëéèêëéèêëéèêë", std::string(90, 'x')});
  Table one({"words"});
  one.add({std::string(200, 'x') + " and more"});
  const Table all[]{gpus(), images, fields, accents, one};
  for (const auto& table : all) {
    for (std::size_t width : {80U, 60U, 40U, 20U, 7U, 3U, 2U, 1U}) EXPECT_LE(widest(table.text({width, false})), width);
  }
}

TEST(Table, CutsNoWordThatFitsTheTerminal) {
  for (std::size_t width : {80U, 60U, 40U, 20U}) {
    const auto text = gpus().text({width, false});
    for (const auto* word : {"architecture", "capability", "datacenter", "workstation", "Workstation", "Blackwell", "311.9"})
      EXPECT_THAT(text, HasSubstr(word)) << width;
  }
}

TEST(Table, TakesTheGapsBeforeItBreaksAWord) {
  Table table({"image", "memory"}, {false, true});
  table.add({"cuda:12.1-devel", "24 GB"});
  EXPECT_EQ(table.text({23, false}), "image            memory\ncuda:12.1-devel   24 GB\n");
  EXPECT_EQ(table.text({22, false}), "image           memory\ncuda:12.1-devel  24 GB\n");
  EXPECT_EQ(table.text({21, false}), "image          memory\ncuda:12.1-      24 GB\ndevel\n");
  EXPECT_EQ(table.text({12, false}), "image memory\ncuda:  24 GB\n12.1-\ndevel\n");
}

TEST(Table, IsBlocksWhereNoTableFits) {
  Table table({"", "value", "why", "source"}, {false, true, false, false});
  table.add({"torch", "2.3.1", "the newest release that serves all that was asked", "[1, 2]"});
  table.add({"os", "ubuntu22.04 ", "asked for", ""});
  EXPECT_EQ(table.text({19, false}),
            "torch\n"
            "value: 2.3.1\n"
            "why: the newest\n"
            "  release that\n"
            "  serves all that\n"
            "  was asked\n"
            "source: [1, 2]\n"
            "\n"
            "os\n"
            "value: ubuntu22.04\n"
            "why: asked for\n");
  EXPECT_THAT(table.text({19, true}), HasSubstr("torch\n\x1b[1mvalue:\x1b[0m 2.3.1\n\x1b[1mwhy:\x1b[0m the newest\n"));
}

TEST(Table, BlocksWithoutTitlesAreCellsUnderEachOther) {
  Table table({});
  table.add({"architecture", "Ada Lovelace"});
  table.add({"confirmed", "bandwidth_gbs"});
  EXPECT_EQ(table.text({16, false}), "architecture\nAda Lovelace\n\nconfirmed\nbandwidth_gbs\n");
}

TEST(Table, BlocksCutOnlyAWordThatIsLongerThanTheTerminal) {
  Table table({"größe", "name"});
  table.add({"äöüäöüäöü", "twelve-chars of-one-more-than-these"});
  EXPECT_EQ(table.text({12, false}), "größe:\n  äöüäöüäöü\nname:\ntwelve-chars\nof-one-more-\nthan-these\n");
  EXPECT_THAT(table.text({5, false}), StartsWith("größe\n:\näöüäö\nüäöü\nname:\ntwelv\ne-\nchars\n"));
}

TEST(Terminal, APipeHasNeitherWidthNorColour) {
  testing::internal::CaptureStdout();  // stdout is a file now
  const auto terminal = Terminal::of_stdout();
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(terminal.width, 0U);
  EXPECT_FALSE(terminal.colour);
}

/// What `of_stdout` says on a terminal of so many columns, with these variables: `columns colour`.
std::string on_a_terminal(unsigned short width, const char* kind, const char* no_colour) {
  const int control = ::posix_openpt(O_RDWR | O_NOCTTY);
  ::grantpt(control);
  ::unlockpt(control);
  const int terminal = ::open(::ptsname(control), O_RDWR | O_NOCTTY);
  winsize size{};
  size.ws_col = width;
  ::ioctl(terminal, TIOCSWINSZ, &size);
  const auto child = ::fork();
  if (child == 0) {
    ::dup2(terminal, STDOUT_FILENO);
    kind == nullptr ? ::unsetenv("TERM") : ::setenv("TERM", kind, 1);
    no_colour == nullptr ? ::unsetenv("NO_COLOR") : ::setenv("NO_COLOR", no_colour, 1);
    const auto seen = Terminal::of_stdout();
    ::_exit(static_cast<int>(seen.width) * 2 + (seen.colour ? 1 : 0));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  ::close(control);
  return std::to_string(WEXITSTATUS(status) / 2) + (WEXITSTATUS(status) % 2 != 0 ? " colour" : " plain");
}

TEST(Terminal, HasItsWidthAndItsColour) {
  EXPECT_EQ(on_a_terminal(100, "xterm", nullptr), "100 colour");
  EXPECT_EQ(on_a_terminal(40, "xterm", ""), "40 colour");
  EXPECT_EQ(on_a_terminal(40, "xterm", "1"), "40 plain");
  EXPECT_EQ(on_a_terminal(40, "dumb", nullptr), "40 plain");
  EXPECT_EQ(on_a_terminal(40, nullptr, nullptr), "40 plain");
}

TEST(Wrap, KeepsWordsTogether) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("", 7), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("no limit at all", 0), (std::vector<std::string>{"no limit at all"}));
  EXPECT_EQ(wrap("186 ", 3), (std::vector<std::string>{"186"}));
}

TEST(Wrap, IndentsTheLinesAfterTheFirst) {
  EXPECT_EQ(wrap("one two three four", 9, 2), (std::vector<std::string>{"one two", "  three", "  four"}));
  EXPECT_EQ(wrap("one two", 7, 2), (std::vector<std::string>{"one two"}));
}

TEST(Wrap, BreaksALongerWordAtAJoint) {
  EXPECT_EQ(wrap("nvidia/cuda:12.1.1-devel", 12), (std::vector<std::string>{"nvidia/cuda:", "12.1.1-devel"}));
  EXPECT_EQ(wrap("see numpy>=1.21,<2", 12), (std::vector<std::string>{"see", "numpy>=1.21,", "<2"}));
  EXPECT_EQ(wrap("https://a.io/b", 9), (std::vector<std::string>{"https://a", ".io/b"}));
  EXPECT_EQ(wrap("--platform", 4), (std::vector<std::string>{"--pl", "atfo", "rm"}));
}

TEST(Wrap, ASpaceAtItsBeginningIsNoPlaceToBreak) {
  EXPECT_EQ(wrap(" abcdef", 3), (std::vector<std::string>{" ab", "cde", "f"}));
  EXPECT_EQ(wrap(" ab cd", 4), (std::vector<std::string>{" ab", "cd"}));
}

TEST(Wrap, AJointStandsBetweenLetters) {
  EXPECT_EQ(wrap("ab-cd", 3), (std::vector<std::string>{"ab-", "cd"}));
  EXPECT_EQ(wrap("abcd-", 4), (std::vector<std::string>{"abcd", "-"}));
  EXPECT_EQ(wrap("a:bcd", 4), (std::vector<std::string>{"a:", "bcd"}));
  EXPECT_EQ(wrap("-abcd", 4), (std::vector<std::string>{"-abc", "d"}));
}

TEST(Wrap, CountsCodePoints) {
  EXPECT_EQ(wrap("für größe-öl", 6), (std::vector<std::string>{"für", "größe-", "öl"}));
  EXPECT_EQ(wrap("ääää", 3), (std::vector<std::string>{"äää", "ä"}));
}

}  // namespace
}  // namespace envgen::util
