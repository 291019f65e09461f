#include "model/capability.hpp"

#include <string>

#include <gtest/gtest.h>

namespace envgen {
namespace {

std::string capability(std::string_view text) {
  const auto parsed = Capability::parse(text);
  return parsed ? parsed->to_string() : parsed.error().message;
}

std::string arch(std::string_view text) {
  const auto parsed = Arch::parse(text);
  return parsed ? parsed->to_string() : parsed.error().message;
}

constexpr auto refusal = "not a compute capability (such as 8.6 or sm_86)";

TEST(Capability, IsWrittenWithADot) {
  EXPECT_EQ(capability("8.6"), "8.6");
  EXPECT_EQ(capability("12.0"), "12.0");
  EXPECT_EQ(capability("99.9"), "99.9");
}

TEST(Capability, IsWrittenAsATargetOfTheCompiler) {
  EXPECT_EQ(capability("sm_86"), "8.6");
  EXPECT_EQ(capability("SM_86"), "8.6");
  EXPECT_EQ(capability("sm_120"), "12.0");
  EXPECT_EQ(capability("sm_103"), "10.3");
  EXPECT_EQ(capability("sm89"), "8.9");
  EXPECT_EQ(capability("compute_120"), "12.0");
  EXPECT_EQ(capability("compute_75"), "7.5");
}

TEST(Capability, MalformedTextsAreRefused) {
  for (const auto* text :
       {"",       "8",     "8.",    ".6",        "8.6.0",    "8.10", "100.0", "86",   "120",  "sm_", "sm_8", "sm_1200",
        "sm_8.6", "sm_8x", "sm-86", "compute86", "compute_", "9.0a", "10.0f", " 8.6", "8.6 ", "8,6", "-8.6", "RTX"})
    EXPECT_EQ(capability(text), refusal) << text;
  EXPECT_EQ(capability(std::string_view("8.6\0", 4)), refusal);
  EXPECT_EQ(Capability::parse("8").error().code, ErrorCode::usage);
}

TEST(Capability, IsOrderedByNumberNotByText) {
  const Capability ascending[] = {{7, 5}, {8, 0}, {8, 6}, {8, 9}, {9, 0}, {10, 0}, {10, 3}, {12, 0}};
  for (std::size_t i = 1; i < std::size(ascending); ++i) EXPECT_LT(ascending[i - 1], ascending[i]) << ascending[i].to_string();
}

TEST(Arch, IsACapabilityWithOrWithoutASuffix) {
  EXPECT_EQ(arch("9.0"), "9.0");
  EXPECT_EQ(arch("9.0a"), "9.0a");
  EXPECT_EQ(arch("10.0f"), "10.0f");
  EXPECT_EQ(arch("sm_90a"), "9.0a");
  EXPECT_EQ(arch("compute_120f"), "12.0f");
  EXPECT_EQ(Arch::parse("9.0")->suffix, 0);
  EXPECT_EQ(Arch::parse("9.0a")->suffix, 'a');
  EXPECT_EQ(Arch::parse("10.0f")->suffix, 'f');
  EXPECT_EQ(Arch::parse("10.0f")->capability, (Capability{10, 0}));
}

TEST(Arch, MalformedTextsAreRefused) {
  for (const auto* text : {"", "a", "f", "9.0b", "9.0A", "9.0aa", "9.0af", "9.0 a", "a9.0", "90a", "sm_a"})
    EXPECT_EQ(arch(text), refusal) << text;
}

TEST(Arch, IsReadNoFurtherThanItsText) {
  constexpr std::string_view with_suffix = "a9.0a";
  EXPECT_EQ(arch(with_suffix.substr(1, 0)), refusal);
  EXPECT_EQ(arch(with_suffix.substr(1, 3)), "9.0");
}

TEST(Arch, ASuffixComesAfterThePlainTarget) {
  EXPECT_LT(*Arch::parse("9.0"), *Arch::parse("9.0a"));
  EXPECT_LT(*Arch::parse("9.0a"), *Arch::parse("10.0"));
}

}  // namespace
}  // namespace envgen
