#include "model/version.hpp"

#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace envgen {
namespace {

Version version(std::string_view text) { return Version::parse(text).value(); }
DriverVersion driver(std::string_view text) { return DriverVersion::parse(text).value(); }

std::string refusal(std::string_view text) {
  const auto parsed = Version::parse(text);
  return parsed ? "read as " + parsed->to_string() : parsed.error().message;
}

TEST(Version, HasOneToFourParts) {
  EXPECT_EQ(version("2").count(), 1);
  EXPECT_EQ(version("2.3").count(), 2);
  EXPECT_EQ(version("2.3.1").count(), 3);
  EXPECT_EQ(version("8.9.2.26").count(), 4);
  EXPECT_EQ(version("8.9.2.26").part(3), 26);
  EXPECT_EQ(version("12.1").major(), 12);
  EXPECT_EQ(version("12.1").minor(), 1);
}

TEST(Version, IsWrittenAsItWasReadWithoutLeadingZeros) {
  for (const auto* text : {"2", "2.3", "2.3.1", "8.9.2.26", "0.0.0.0", "65535.65535.65535.65535"})
    EXPECT_EQ(version(text).to_string(), text);
  EXPECT_EQ(version("02.030.0001").to_string(), "2.30.1");
  EXPECT_EQ(Version().to_string(), "");
}

TEST(Version, MissingPartsCountAsZero) {
  EXPECT_EQ(version("2.3"), version("2.3.0"));
  EXPECT_EQ(version("2"), version("2.0.0.0"));
  EXPECT_NE(version("2.3"), version("2.3.0.1"));
}

TEST(Version, PartsAreComparedAsNumbersFromTheFirst) {
  const char* ascending[] = {"0.9", "1.13.1", "2.0", "2.0.0.1", "2.0.1", "2.3", "2.9.9", "2.10", "10", "10.0.1", "65535"};
  for (std::size_t i = 1; i < std::size(ascending); ++i) {
    EXPECT_LT(version(ascending[i - 1]), version(ascending[i])) << ascending[i];
    EXPECT_GT(version(ascending[i]), version(ascending[i - 1])) << ascending[i];
  }
}

TEST(Version, TheDefaultOneStandsForNone) {
  EXPECT_FALSE(Version());
  EXPECT_TRUE(version("0"));
}

TEST(Version, AtCutsOrFillsUp) {
  EXPECT_EQ(version("12.1.1").at(2).to_string(), "12.1");
  EXPECT_EQ(version("12").at(3).to_string(), "12.0.0");
  EXPECT_EQ(version("8.9.2.26").at(4).to_string(), "8.9.2.26");
  EXPECT_EQ(version("8.9.2.26").at(1).to_string(), "8");
}

TEST(Version, LiesUnderItsOwnPrefixesAlone) {
  EXPECT_TRUE(version("2.3.1").under(version("2.3")));
  EXPECT_TRUE(version("2.3").under(version("2.3")));
  EXPECT_TRUE(version("2.3").under(version("2.3.0")));
  EXPECT_TRUE(version("2.3.1").under(Version()));
  EXPECT_FALSE(version("2.30").under(version("2.3")));
  EXPECT_FALSE(version("2.3").under(version("2.3.1")));
  EXPECT_FALSE(version("12.3").under(version("2")));
}

TEST(Version, MalformedTextsSayWhatStandsInTheWay) {
  EXPECT_EQ(refusal(""), "not a version number (it is empty)");
  for (const auto* text : {".", ".1", "1.", "1..2", "1.2.3.4."})
    EXPECT_EQ(refusal(text), "not a version number (a part is empty)") << text;
  for (const auto* text :
       {"2.x", "v2.3", " 2.3", "2.3 ", "2.3\n", "-1", "+1", "2,3", "2.3.1+cu121", "2.3rc1", "1e3", "0x10", "*"})
    EXPECT_EQ(refusal(text), "not a version number (only digits and dots are allowed)") << text;
  EXPECT_EQ(refusal("1.2.3.4.5"), "not a version number (more than four parts)");
  EXPECT_EQ(refusal("1.65536"), "not a version number (a part is larger than 65535)");
  EXPECT_EQ(refusal("4294967297"), "not a version number (a part is larger than 65535)");
  EXPECT_EQ(refusal(std::string(1'000'000, '9')), "not a version number (a part is larger than 65535)");
  EXPECT_EQ(refusal(std::string_view("2\0.3", 4)), "not a version number (only digits and dots are allowed)");
  EXPECT_EQ(refusal("２.3"), "not a version number (only digits and dots are allowed)");  // a full-width digit
}

TEST(Version, AMalformedTextIsAMistakeOfUse) { EXPECT_EQ(Version::parse("x").error().code, ErrorCode::usage); }

TEST(Driver, IsWrittenWithTwoDigitsAPart) {
  EXPECT_EQ(driver("535").to_string(), "535");
  EXPECT_EQ(driver("470.42").to_string(), "470.42");
  EXPECT_EQ(driver("535.183.01").to_string(), "535.183.01");
  EXPECT_EQ(driver("535.183.1").to_string(), "535.183.01");
  EXPECT_EQ(driver("450.5").to_string(), "450.05");
  EXPECT_EQ(DriverVersion().to_string(), "");
}

TEST(Driver, BelongsToTheBranchOfItsFirstPart) { EXPECT_EQ(driver("535.183.01").branch(), 535); }

TEST(Driver, ReleasesAreOrderedWithinAndAcrossBranches) {
  const char* ascending[] = {"450.36.06", "450.80.02", "525.60.13", "535", "535.54.03", "535.183.01", "570.26"};
  for (std::size_t i = 1; i < std::size(ascending); ++i)
    EXPECT_LT(driver(ascending[i - 1]), driver(ascending[i])) << ascending[i];
  EXPECT_EQ(driver("535"), driver("535.00.00"));
}

TEST(Driver, HasAtMostThreeParts) {
  EXPECT_EQ(DriverVersion::parse("535.183.01.02").error().message,
            "not a driver version (at most three parts, as in 535.183.01)");
}

TEST(Driver, MalformedTextsAreRefusedAsVersionsAre) {
  EXPECT_EQ(DriverVersion::parse("R535").error().message, "not a version number (only digits and dots are allowed)");
  EXPECT_EQ(DriverVersion::parse("").error().message, "not a version number (it is empty)");
}

static_assert(!std::is_convertible_v<Version, DriverVersion>);  // a CUDA version is no driver by accident
static_assert(!std::is_convertible_v<DriverVersion, Version>);

}  // namespace
}  // namespace envgen
