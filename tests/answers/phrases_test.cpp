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

}  // namespace
}  // namespace envgen::answers
