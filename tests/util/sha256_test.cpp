#include "util/sha256.hpp"

#include <gtest/gtest.h>

namespace envgen::util {
namespace {

/// Each text has a line end behind it: as `printf 'abc\n' | sha256sum` has it.
TEST(Sha256, IsThatOfTheTextsALineEach) {
  EXPECT_EQ(Sha256().hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 one;
  one.add("abc");
  EXPECT_EQ(one.hex(), "edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb");
  Sha256 two;
  two.add("ab");
  two.add("c");
  Sha256 joined;
  joined.add("ab\nc");
  EXPECT_EQ(two.hex(), joined.hex());
}

TEST(Sha256, OfAFileIsThatOfItsBytesAlone) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-2, B.1
}

}  // namespace
}  // namespace envgen::util
