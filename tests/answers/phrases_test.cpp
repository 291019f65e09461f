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

}  // namespace
}  // namespace envgen::answers
