#include "util/pattern.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace envgen::util {
namespace {

using namespace std::string_view_literals;

TEST(Pattern, MatchesTheWholeTextOrNothing) {
  const Pattern pattern("[a-z]+|x1");
  EXPECT_TRUE(pattern.matches("abc"));
  EXPECT_TRUE(pattern.matches("x1"));
  for (const auto* text : {"", "1abc", "abc1", "ABC", "abc\n", "\nabc", "x1x1"}) EXPECT_FALSE(pattern.matches(text)) << text;
}

TEST(Pattern, ANulMatchesNothing) {
  EXPECT_FALSE(Pattern(".*").matches("a\0b"sv));
  EXPECT_FALSE(Pattern("a").matches("a\0"sv));
}

TEST(Pattern, ReadsALongTextAndBytesThatAreNoUtf8) {
  EXPECT_TRUE(Pattern("(a|b)*").matches(std::string(1 << 20, 'a')));
  EXPECT_FALSE(Pattern("[a-z]*").matches("\xff"));
}

TEST(Pattern, OneThatCannotBeCompiledThrows) { EXPECT_THROW(Pattern("["), std::invalid_argument); }

}  // namespace
}  // namespace envgen::util
