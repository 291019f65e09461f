#include "model/version_spec.hpp"

#include <string>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace envgen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Version version(std::string_view text) { return Version::parse(text).value(); }
VersionSpec spec(std::string_view text) { return VersionSpec::parse(text).value(); }

/// Those of a row of torch releases that the spec lets pass.
std::vector<std::string> passing(std::string_view text) {
  std::vector<std::string> result;
  for (const auto* release : {"1.13.1", "2.2.2", "2.3", "2.3.0.1", "2.3.1", "2.4.0", "2.30", "3.0"}) {
    if (spec(text).matches(version(release))) result.emplace_back(release);
  }
  return result;
}

std::string refusal(std::string_view text) {
  const auto parsed = VersionSpec::parse(text);
  return parsed ? "read as " + parsed->to_string() : parsed.error().message;
}

TEST(Spec, ABareVersionIsAPrefix) {
  EXPECT_THAT(passing("2.3"), ElementsAre("2.3", "2.3.0.1", "2.3.1"));
  EXPECT_THAT(passing("2.3.0"), ElementsAre("2.3", "2.3.0.1"));
  EXPECT_THAT(passing("2"), ElementsAre("2.2.2", "2.3", "2.3.0.1", "2.3.1", "2.4.0", "2.30"));
}

TEST(Spec, AStarIsThePrefixToo) {
  EXPECT_THAT(passing("2.3.*"), ElementsAre("2.3", "2.3.0.1", "2.3.1"));
  EXPECT_THAT(passing("==2.3.*"), ElementsAre("2.3", "2.3.0.1", "2.3.1"));
  EXPECT_THAT(passing("== 2.3.*"), ElementsAre("2.3", "2.3.0.1", "2.3.1"));
}

TEST(Spec, EqualIsThatReleaseAloneWithZerosFilledUp) {
  EXPECT_THAT(passing("==2.3"), ElementsAre("2.3"));
  EXPECT_THAT(passing("==2.3.0.0"), ElementsAre("2.3"));
  EXPECT_THAT(passing("===2.3.1"), ElementsAre("2.3.1"));
}

TEST(Spec, NotEqualLeavesOutThatReleaseOrItsPrefix) {
  EXPECT_THAT(passing("!=2.3"), ElementsAre("1.13.1", "2.2.2", "2.3.0.1", "2.3.1", "2.4.0", "2.30", "3.0"));
  EXPECT_THAT(passing("!=2.3.*"), ElementsAre("1.13.1", "2.2.2", "2.4.0", "2.30", "3.0"));
}

TEST(Spec, CompatibleLetsTheLastPartGrow) {
  EXPECT_THAT(passing("~=2.3"), ElementsAre("2.3", "2.3.0.1", "2.3.1", "2.4.0", "2.30"));
  EXPECT_THAT(passing("~=2.3.0"), ElementsAre("2.3", "2.3.0.1", "2.3.1"));
  EXPECT_THAT(passing("~=2.3.1"), ElementsAre("2.3.1"));
  EXPECT_THAT(passing("~=2.3.0.1"), ElementsAre("2.3.0.1"));
}

TEST(Spec, RangesHaveOpenAndClosedEnds) {
  EXPECT_THAT(passing(">=2.3"), ElementsAre("2.3", "2.3.0.1", "2.3.1", "2.4.0", "2.30", "3.0"));
  EXPECT_THAT(passing(">2.3"), ElementsAre("2.3.0.1", "2.3.1", "2.4.0", "2.30", "3.0"));
  EXPECT_THAT(passing("<=2.3"), ElementsAre("1.13.1", "2.2.2", "2.3"));
  EXPECT_THAT(passing("<2.3"), ElementsAre("1.13.1", "2.2.2"));
}

TEST(Spec, AllClausesHoldTogether) {
  EXPECT_THAT(passing(">=2.3,<2.5,!=2.3.1"), ElementsAre("2.3", "2.3.0.1", "2.4.0"));
  EXPECT_THAT(passing("2.3,!=2.3.1"), ElementsAre("2.3", "2.3.0.1"));
}

TEST(Spec, BoundsThatExcludeOneAnotherAreRefused) {
  for (const auto* text : {">=2.4,<2.3", ">2.3,<=2.3", ">=2.3,<2.3", ">2.3,<2.3,!=1"})
    EXPECT_EQ(refusal(text), "an empty range: its bounds exclude each other") << text;
  EXPECT_EQ(spec(">=2.3,<=2.3").to_string(), ">=2.3,<=2.3");
}

TEST(Spec, SpacesAndTabsAroundClausesAndOperatorsAreNothing) {
  EXPECT_EQ(spec(" >= 2.3 ,\t<\t2.5 ").to_string(), ">=2.3,<2.5");
  EXPECT_EQ(spec(" 2.3 ").to_string(), "2.3");
  EXPECT_EQ(spec("~= 2.3.1").to_string(), ">=2.3.1,==2.3.*");
}

TEST(Spec, IsWrittenInWordsOfPep440) {
  for (const auto* text : {"2.3", "==2.3", "!=2.3", "!=2.3.*", "<2", "<=2.3.1", ">2", ">=2.3,<2.5", "==2.3.*,!=2.3.1"})
    EXPECT_EQ(spec(text).to_string(), text);
  EXPECT_EQ(spec("===2.3").to_string(), "==2.3");
  EXPECT_EQ(spec("2.3,<2.3.2").to_string(), "==2.3.*,<2.3.2");
}

TEST(Spec, WhatIsWrittenReadsBackTheSame) {
  for (const auto* text : {"2.3", "~=2.3", "~=2.3.0.1", "!=2.3.*", ">2.3,<=3", "==2.3.*", "2,!=2.3"}) {
    const auto written = spec(text).to_string();
    EXPECT_EQ(spec(written).to_string(), written);
    EXPECT_EQ(passing(written), passing(text)) << text;
  }
}

TEST(Spec, TheEmptyOneLetsAllPass) {
  EXPECT_TRUE(VersionSpec().any());
  EXPECT_TRUE(VersionSpec().matches(version("2.3")));
  EXPECT_FALSE(spec("2").any());
  EXPECT_EQ(VersionSpec().to_string(), "");
}

TEST(Spec, NamesASingleVersionOnlyWhereThereIsOne) {
  EXPECT_EQ(spec("2.3").single().to_string(), "2.3");
  EXPECT_EQ(spec("==2.3.1").single().to_string(), "2.3.1");
  for (const auto* text : {">=2.3", "!=2.3", "~=2.3", "2.3,!=2.3.1", "<2"}) EXPECT_FALSE(spec(text).single()) << text;
  EXPECT_FALSE(VersionSpec().single());
}

TEST(Spec, OfAStatedPrefixItHoldsForAllForSomeOrForNone) {
  using enum VersionSpec::Holds;
  const std::tuple<const char*, const char*, VersionSpec::Holds> cases[] = {
      {"8", "8", for_all},
      {"8.9", "8", for_some},
      {"9", "8", for_none},
      {"8", "8.9.2", for_all},
      {"8.9.2.26", "8.9.2", for_some},
      {"8.9.2.26", "8.9.2.26", for_all},
      {"8.9.2.25", "8.9.2.26", for_none},
      {">=8", "8", for_all},
      {">8", "8", for_some},  // not 8.0.0.0
      {">=8.9", "8", for_some},
      {">=9", "8", for_none},
      {"<9", "8", for_all},
      {"<8", "8", for_none},
      {"<=8", "8", for_some},
      {"<=8.65535.65535.65535", "8", for_all},
      {"!=8.9", "8", for_some},
      {"!=8.9.*", "8", for_some},
      {"!=8.*", "8", for_none},
      {"!=9", "8", for_all},
      {"!=8", "8.9", for_all},
      {"==8.9", "8", for_some},
      {"==8.9", "8.9.0.0", for_all},
      {">8.4,<8.6", "8", for_some},
      {">8.4,<8.4.0.1", "8", for_none},
      {">8.4,<8.4.0.2", "8", for_some},
      {"~=8.9", "8", for_some},
      {"~=8.0", "8", for_all},
      {"<8.1,>8.0.65535.65534", "8", for_some},
      {"<65535", "65535", for_none},
      {"65535", "65535", for_all},
  };
  for (const auto& [asked, stated, holds] : cases)
    EXPECT_EQ(spec(asked).holds_under(version(stated)), holds) << asked << " of " << stated;
}

TEST(Spec, AtItsOwnPrecisionABoundOfTwoPartsIsAMinor) {
  EXPECT_FALSE(spec(">12.4").matches_at_own_precision(version("12.4.1"), 2));
  EXPECT_TRUE(spec(">12.4").matches(version("12.4.1")));
  EXPECT_TRUE(spec(">12.4").matches_at_own_precision(version("12.5.0"), 2));
  EXPECT_TRUE(spec("<=12.4").matches_at_own_precision(version("12.4.1"), 2));
  EXPECT_TRUE(spec("==12.4").matches_at_own_precision(version("12.4.1"), 2));
  EXPECT_FALSE(spec("!=12.4").matches_at_own_precision(version("12.4.1"), 2));
  EXPECT_TRUE(spec("12.4").matches_at_own_precision(version("12.4.1"), 2));
}

TEST(Spec, AtItsOwnPrecisionABoundOfThreePartsIsAnUpdate) {
  EXPECT_TRUE(spec(">12.4.0").matches_at_own_precision(version("12.4.1"), 2));
  EXPECT_FALSE(spec("==12.4.0").matches_at_own_precision(version("12.4.1"), 2));
  EXPECT_FALSE(spec("<=12.4.0").matches_at_own_precision(version("12.4.1"), 2));
}

TEST(Spec, AtItsOwnPrecisionNoClauseIsCoarserThanTheLeast) {
  EXPECT_TRUE(spec(">12").matches_at_own_precision(version("12.4.1"), 2));
  EXPECT_FALSE(spec(">12").matches_at_own_precision(version("12.4.1"), 1));
  EXPECT_FALSE(spec("<=12").matches_at_own_precision(version("12.4.1"), 2));
}

TEST(Spec, AnEmptyPartIsRefused) {
  for (const auto* text : {"", " ", "\t", ",", ">=2.3,", ",<2", ">=2.3,,<2.5", ">=2.3, ,<2.5"})
    EXPECT_EQ(refusal(text), "not a version or range (a part of it is empty)") << text;
}

TEST(Spec, AnOperatorNeedsAVersion) {
  for (const auto* text : {"==", ">=", "<", "~=", "=== ", "!=", ">=2.3,<"})
    EXPECT_EQ(refusal(text), "not a version number (it is empty)") << text;
}

TEST(Spec, UnknownOperatorsAndTextsAreRefused) {
  for (const auto* text : {"=2.3", "=>2.3", "><2.3", "^2.3", "~2.3", "!2.3", "====2.3", ">= =2.3", "2.3 <2.5", "2.3rc1",
                           "2.3.1+cu121", "2.3.*.*", "*", "2.*.1", ">=2.3;<2.5", "$(id)", "2.3\n"})
    EXPECT_EQ(refusal(text), "not a version number (only digits and dots are allowed)") << text;
}

TEST(Spec, AStarGoesWithEqualAndNotEqualOnly) {
  for (const auto* text : {">=2.3.*", ">2.3.*", "<=2.3.*", "<2.*", "~=2.3.*"})
    EXPECT_EQ(refusal(text), "malformed: '.*' works only with == and !=") << text;
}

TEST(Spec, CompatibleNeedsTwoParts) { EXPECT_EQ(refusal("~=2"), "incomplete: ~= needs at least two parts, as in ~=2.3"); }

TEST(Spec, PartsHaveTheLimitsOfVersions) {
  EXPECT_EQ(refusal(">=1.2.3.4.5"), "not a version number (more than four parts)");
  EXPECT_EQ(refusal("<99999"), "not a version number (a part is larger than 65535)");
  EXPECT_EQ(refusal(">=2..3"), "not a version number (a part is empty)");
}

TEST(Spec, ALongTextIsRefusedUnread) {
  EXPECT_EQ(refusal(std::string(201, '1')), "not a version or range (longer than 200 characters)");
  EXPECT_EQ(refusal(std::string(196, ' ') + "2.30"), "read as 2.30");
}

TEST(VersionSpec, IsBelowWhatIsNewerThanAllOfIt) {
  const auto limit = Version::parse("570.26").value();
  for (const auto* text : {"535", "==535.54.03", "==535.*", "<536", ">=450,<536", "<570.26", "<=570.25", "~=535.54.03"})
    EXPECT_TRUE(spec(text).is_below(limit)) << text;
  for (const auto* text : {"570", "==570.26", "<570.27", "<=570.26", ">=535", "!=570", ">535,!=570.26"})
    EXPECT_FALSE(spec(text).is_below(limit)) << text;
  EXPECT_FALSE(VersionSpec().is_below(limit));
}

}  // namespace
}  // namespace envgen
