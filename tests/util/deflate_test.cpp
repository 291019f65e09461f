#include "util/deflate.hpp"

#include <gtest/gtest.h>

namespace envgen::util {
namespace {

std::string text() {
  std::string rows;
  for (int i = 0; i < 1000; ++i) rows += "{\"version\": \"2." + std::to_string(i) + "\", \"what\": \"a row\"}\n";
  return rows;
}

TEST(Deflate, GivesBackWhatItWasGiven) {
  for (const auto& each : {std::string(), std::string("a"), std::string("\0\n\xFF", 3), text()}) {
    const auto bytes = deflated(each);
    const auto back = inflated(bytes, each.size(), "facts");
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, each);
  }
  EXPECT_LT(deflated(text()).size(), text().size() / 8);
}

TEST(Deflate, DamageIsAnError) {
  const auto good = deflated(text());
  const auto message = [](const std::string& bytes, std::size_t size) {
    const auto back = inflated(bytes, size, "facts");
    return back ? std::string("none") : back.error().origin + ": " + back.error().message;
  };
  const std::string damaged = "facts: the compressed data is damaged";
  auto changed = good;
  changed[good.size() / 2] = static_cast<char>(changed[good.size() / 2] ^ 1);
  EXPECT_EQ(message(changed, text().size()), damaged);
  EXPECT_EQ(message(good.substr(0, good.size() - 1), text().size()), damaged);
  EXPECT_EQ(message("", text().size()), damaged);
  EXPECT_EQ(message(good, text().size() - 1), damaged);
  EXPECT_EQ(message(good, text().size() + 1), damaged);
  EXPECT_EQ(message(good, text().size()), "none");
}

/// The check value that lists of CRCs give for this one.
TEST(Crc32, IsThatOfZlibAndGzip) {
  EXPECT_EQ(crc32_of("123456789"), 0xCBF43926U);
  EXPECT_EQ(crc32_of(""), 0U);
}

}  // namespace
}  // namespace envgen::util
