#include "answers/phrases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace envgen::answers {
namespace {

TEST(Phrases, WordsAreJoined) {
  EXPECT_EQ(joined({}), "none");
  EXPECT_EQ(joined({"a"}), "a");
  EXPECT_EQ(joined({"a", "b"}), "a and b");
  EXPECT_EQ(joined({"a", "b", "c"}, "or"), "a, b or c");
}

TEST(Phrases, AWordIsAddedOnce) {
  std::vector<std::string> words{"a"};
  add_once(words, "b");
  add_once(words, "a");
  EXPECT_THAT(words, testing::ElementsAre("a", "b"));
}

TEST(Phrases, DriversOfABoardHaveABeginningOrAnEndOrBoth) {
  matrix::GpuDriver row;
  row.last_branch = 470;
  EXPECT_EQ(driver_range(row), "up to branch 470");
  row.first_driver = DriverVersion::parse("384.81").value();
  EXPECT_EQ(driver_range(row), "from 384.81 to branch 470");
  row.last_branch = 0;
  EXPECT_EQ(driver_range(row), "from 384.81 on");
}

}  // namespace
}  // namespace envgen::answers
