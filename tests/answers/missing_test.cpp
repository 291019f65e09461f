#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answers/reasons.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"

/// How facts are told that are missing; which ones are is the resolver's to say.
namespace envgen::test {
namespace {

using resolver::MissingFact;
using resolver::Reason;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

const matrix::Build& wheel(std::string_view label) {
  const auto& builds = matrix::embedded()->builds;
  const auto* found = std::find_if(builds.begin(), builds.end(), [&](const matrix::Build& build) {
    return build.channel == matrix::Channel::wheels && build.platform == Platform::linux_x86_64 &&
           answers::build_label(build) == label;
  });
  if (found == builds.end()) throw std::invalid_argument(std::string(label));
  return *found;
}

answers::Missing told(std::vector<MissingFact> missing) {
  resolver::Unknown unknown;
  unknown.missing = std::move(missing);
  return answers::missing_of(matrix::embedded(), ask("torch=2.3").query, unknown);
}

TEST(Missing, EachFactIsToldOnce) {
  const auto& build = wheel("torch 2.3.1+cu121");
  const auto missing = told({{&build, Reason::glibc, -1, {}}, {&build, Reason::glibc, -1, {}}});
  EXPECT_THAT(missing.facts, ElementsAre("which glibc torch 2.3.1+cu121 needs"));
  EXPECT_EQ(missing.message, "envgen does not know which glibc torch 2.3.1+cu121 needs");
}

TEST(Missing, ThreeFactsAreToldOfEightThatAreNamed) {
  std::vector<MissingFact> missing;
  for (const auto* label :
       {"torch 2.0.1+cu117", "torch 2.0.1+cu118", "torch 2.1.2+cu118", "torch 2.1.2+cu121", "torch 2.2.2+cu118",
        "torch 2.2.2+cu121", "torch 2.3.1+cu118", "torch 2.3.1+cu121", "torch 2.4.1+cu118", "torch 2.4.1+cu121"})
    missing.push_back({&wheel(label), Reason::glibc, -1, {}});
  const auto all = told(missing);
  EXPECT_THAT(all.facts, SizeIs(8));
  EXPECT_EQ(all.message,
            "envgen does not know which glibc torch 2.0.1+cu117 needs; nor which glibc torch 2.0.1+cu118 needs; nor which "
            "glibc torch 2.1.2+cu118 needs; nor these facts about other builds");
  missing.resize(3);
  EXPECT_THAT(told(missing).message, EndsWith("; nor which glibc torch 2.1.2+cu118 needs"));
}

/// The eighth fact ends the list, but for what else is missing of its build.
TEST(Missing, OfABuildAllFactsAreNamed) {
  const auto& build = wheel("torch 2.3.1+cu121");
  std::vector<MissingFact> missing;
  for (const auto* label : {"torch 2.0.1+cu117", "torch 2.0.1+cu118", "torch 2.1.2+cu118", "torch 2.1.2+cu121",
                            "torch 2.2.2+cu118", "torch 2.2.2+cu121", "torch 2.3.1+cu118"})
    missing.push_back({&wheel(label), Reason::glibc, -1, {}});
  missing.push_back({&build, Reason::glibc, -1, {}});
  missing.push_back({&build, Reason::cuda, -1, {}});
  EXPECT_THAT(told(missing).facts, SizeIs(9));
}

/// The resolver says of some reasons that they are met or not, and never that this is unknown. Should it, there are words.
TEST(Missing, EachReasonHasWords) {
  const auto& build = wheel("torch 2.3.1+cu121");
  EXPECT_EQ(told({{&build, Reason::version, -1, {}}}).message,
            "envgen does not know whether torch 2.3.1+cu121 satisfies the request");
  for (std::size_t i = 0; i < resolver::reason_count; ++i) {
    const auto& row = answers::row_of(static_cast<Reason>(i));
    EXPECT_NE(row.missing, nullptr) << i;
    EXPECT_NE(row.falls, nullptr) << i;
  }
}

TEST(Missing, ABuildThatIsNotListedFitsNothing) {
  EXPECT_THAT(summary("torch=2.15 cuda=13.4"), StartsWith("unknown: No listed build satisfies the request, and envgen does not "
                                                          "know whether torch 2.15.0 has a build for CUDA 13.4 (known: cu132)"));
}

TEST(Missing, CondaIsNamedWhereItHasAnEnvironment) {
  EXPECT_THAT(summary("gpu=Orin torch=2.13 cuda=>=12.6,<13.1"), HasSubstr("; --installer conda works"));
}

TEST(Missing, WhatLiesOutsideTheMatrixIsNamed) {
  EXPECT_THAT(summary("torch=2.99"), StartsWith("unknown: torch 2.99 is newer than envgen's data, which ends at "));
  EXPECT_THAT(summary("torch=2.99"), EndsWith("; 'envgen matrix update' fetches newer data; if it is not released yet, "
                                              "https://pytorch.org/get-started/locally/ has nightly builds"));
  EXPECT_THAT(summary("tensorflow=2.99"), EndsWith("; 'envgen matrix update' fetches newer data"));
  EXPECT_THAT(summary("torch=0.4"), HasSubstr("torch 0.4 is older than envgen's data, which begins at 1.7.0 (as of "));
  EXPECT_THAT(summary("torch=0.4"), EndsWith("; add your own data with --matrix DIR"));
}

TEST(Missing, AJetsonHasBuildsOfItsOwn) {
  EXPECT_THAT(summary("gpu=Orin torch=2.13 cuda=>=12.6,<13.1"), StartsWith("unknown: "));
  EXPECT_THAT(summary("gpu=Orin torch=2.13 cuda=>=12.6,<13.1"),
              EndsWith("NVIDIA's own builds for Jetson (JetPack wheels and L4T containers) are not in envgen's data"));
}

}  // namespace
}  // namespace envgen::test
