#include "util/table.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace envgen::util {
namespace {

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

TEST(Terminal, APipeHasNeitherWidthNorColour) {
  testing::internal::CaptureStdout();  // stdout is a file now
  const auto terminal = Terminal::of_stdout();
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(terminal.width, 0U);
  EXPECT_FALSE(terminal.colour);
}

TEST(Wrap, KeepsWordsTogether) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("", 7), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("no limit at all", 0), (std::vector<std::string>{"no limit at all"}));
}

}  // namespace
}  // namespace envgen::util
