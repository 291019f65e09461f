#include "model/add_once.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace envgen {
namespace {

TEST(AddOnce, AWordIsAddedOnce) {
  std::vector<std::string> words{"a"};
  add_once(words, "b");
  add_once(words, "a");
  EXPECT_THAT(words, testing::ElementsAre("a", "b"));
}

}  // namespace
}  // namespace envgen
