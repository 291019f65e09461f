#include "log_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace envgen::test {
namespace {

TEST(LogFile, HoldsLogsByteForByte) {
  const std::string odd("a\0\r\x1b[0m\xff\r\n\n\n b \n=> c\n", 21);
  const auto logs = *logs_of("==> one <==\n# recorded: x\n" + odd + "\n==> a b.c <==\n# after the message: y\n# z\n\n", "id");
  ASSERT_EQ(logs.size(), 2U);
  EXPECT_EQ(logs[0].name, "one");
  EXPECT_EQ(logs[0].source, "# recorded: x");
  EXPECT_EQ(logs[0].text, odd);
  EXPECT_EQ(logs[0].where(), "id/one");
  EXPECT_EQ(logs[1].name, "a b.c");
  EXPECT_EQ(logs[1].source, "# after the message: y");
  EXPECT_EQ(logs[1].text, "# z\n\n");
  EXPECT_EQ(logs_of("==> one <==\n# x\na\n", {})->at(0).where(), "one");
  EXPECT_THAT(*logs_of("", "id"), testing::IsEmpty());
}

TEST(LogFile, RefusesWhatIsNotSure) {
  const std::string one = "==> one <==\n# x\na\n";
  const auto refused = [](const std::string& text) { return logs_of(text, "id").error().message; };
  EXPECT_EQ(refused("a\n" + one), "the first line must be a heading `==> NAME <==`: a");
  EXPECT_EQ(refused(one + "b"), "the last line has no end");
  EXPECT_EQ(refused(one + "==> two <==\n# x\nb\n"), "an empty line must stand before the heading: ==> two <==");
  EXPECT_EQ(refused("==> one <==\n# x\n\n==> two <==\n# x\nb\n"), "an empty line must stand before the heading: ==> two <==");
  for (const std::string heading : {"==>", "==> <==", "==>  <==", "==>two <==", "==> two", "==> two <== "})
    EXPECT_EQ(refused(one + "\n" + heading + "\n# x\nb\n"), "a heading must be `==> NAME <==`: " + heading);
  EXPECT_EQ(refused(one + "\n" + one), "two logs have one name: one");
  EXPECT_EQ(refused(one + "\n==> two <==\nb\n"), "the line below a heading must say where the log is from, `# ...`: two");
  EXPECT_EQ(refused("==> one <==\n"), "the line below a heading must say where the log is from, `# ...`: one");
}

}  // namespace
}  // namespace envgen::test
