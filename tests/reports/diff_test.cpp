#include "reports/diff.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "reports/baseline.hpp"
#include "saved.hpp"

namespace envgen::reports {
namespace {

using test::check_of;
using test::Json;
using test::parsed;
using test::saved;

Diff compared(const Json& a, const Json& b, double tolerance = usual_tolerance) { return diff(parsed(a), parsed(b), tolerance); }

TEST(Diff, TheSame) {
  const auto found = compared(saved("two-gpus.json"), saved("two-gpus.json"));
  EXPECT_FALSE(found.differs());
  EXPECT_TRUE(found.identity.empty());
  EXPECT_EQ(found.speeds.size(), 10U);
  EXPECT_THAT(diff_text(found, "a", "b", {}),
              testing::StartsWith("The verdicts are the same; no speed differs by more than the tolerance.\n"));
}

TEST(Diff, IdentityAloneIsNoDifference) {
  auto b = saved("two-gpus.json");
  b["machine"]["driver"] = "590.10";
  b["machine"]["gpus"][1]["name"] = "Other GPU";
  const auto found = compared(saved("two-gpus.json"), b);
  EXPECT_FALSE(found.differs());
  ASSERT_EQ(found.identity.size(), 2U);
  EXPECT_EQ(found.identity[1].name, "GPU 1");
  EXPECT_EQ(found.identity[1].b, "Other GPU");
}

TEST(Diff, BothDirectionsCount) {
  auto b = saved("two-gpus.json");
  check_of(b, "d2d.speed", 0)["evidence"]["value"] = 3.2e12 * 1.2;
  EXPECT_TRUE(compared(saved("two-gpus.json"), b).differs());
  EXPECT_FALSE(compared(saved("two-gpus.json"), b, 20).differs());
  EXPECT_TRUE(compared(b, saved("two-gpus.json")).differs());
}

TEST(Diff, WhatOneAloneHasIsADifference) {
  const auto whole = saved("two-gpus.json");
  auto part = whole;
  auto& checks = part["checks"];
  const auto is_shm = [](const Json& check) { return check.at("id") == "shm"; };
  checks.erase(std::find_if(checks.begin(), checks.end(), is_shm));
  part["summary"]["warn"] = part["summary"]["warn"].get<int>() - 1;
  const auto more = compared(part, whole);
  EXPECT_TRUE(more.differs());
  EXPECT_THAT(more.only_a, testing::IsEmpty());
  EXPECT_THAT(more.only_b, testing::ElementsAre("shm (warn)"));
  const auto less = compared(whole, part);
  EXPECT_TRUE(less.differs());
  EXPECT_THAT(less.only_a, testing::ElementsAre("shm (warn)"));
  EXPECT_THAT(less.only_b, testing::IsEmpty());
}

TEST(Diff, WhatIsThrottledIsNotJudged) {
  auto b = saved("two-gpus.json");
  check_of(b, "gemm-bf16.speed", 1)["evidence"]["value"] = 1e12;
  EXPECT_FALSE(compared(saved("two-gpus.json"), b).differs());
}

TEST(Diff, DoublesAreNotJudged) {
  auto b = saved("two-gpus.json");
  b["doubles"] = {"libcuda"};
  check_of(b, "d2d.speed", 0)["evidence"]["value"] = 1e9;
  const auto found = compared(saved("two-gpus.json"), b);
  EXPECT_FALSE(found.differs());
  EXPECT_THAT(diff_text(found, "a", "b", {}), testing::StartsWith("The verdicts are the same; no speed was judged.\n"));
}

TEST(Diff, TheGravestOfSeveralRowsCounts) {
  auto b = saved("two-gpus.json");
  auto more = check_of(b, "framework");
  more["status"] = "fail";
  b["checks"].push_back(more);
  b["summary"]["fail"] = 2;
  const auto found = compared(saved("two-gpus.json"), b);
  ASSERT_EQ(found.verdicts.size(), 1U);
  EXPECT_EQ(found.verdicts[0].name, "framework");
  EXPECT_EQ(found.verdicts[0].b, validate::Status::fail);
}

TEST(Diff, AFailureIsGraverThanAWarningAndThatThanAnUnknown) {
  using validate::Status;
  const std::vector<Status> by_gravity{Status::skip, Status::pass, Status::unknown, Status::warn, Status::fail};
  validate::Report a;
  a.add("shm", Status::skip, "as it was");
  for (std::size_t less = 0; less + 1 < by_gravity.size(); ++less) {
    for (const bool graver_first : {true, false}) {
      validate::Report b;
      b.add("shm", by_gravity[graver_first ? less + 1 : less], "one");
      b.add("shm", by_gravity[graver_first ? less : less + 1], "another");
      const auto found = diff(a, b, usual_tolerance);
      ASSERT_EQ(found.verdicts.size(), 1U);
      EXPECT_EQ(found.verdicts[0].b, by_gravity[less + 1]) << less << graver_first;
    }
  }
}

TEST(Diff, ComparesNoSpeedsOfDifferentSizes) {
  auto b = saved("two-gpus.json");
  check_of(b, "d2d", 0)["evidence"]["bytes"] = 1024;
  const auto found = compared(saved("two-gpus.json"), b);
  EXPECT_THAT(found.only_a, testing::ElementsAre("speed of d2d 512 MiB on GPU 0"));
  EXPECT_THAT(found.only_b, testing::ElementsAre("speed of d2d 1 KiB on GPU 0"));
}

TEST(Diff, LeavesOutWhatAThirdReportSays) {
  auto a = parsed(saved("two-gpus.json"));
  auto b = a;
  a.add("baseline", validate::Status::pass, "as before");
  b.add("baseline", validate::Status::fail, "slower than before");
  EXPECT_FALSE(diff(a, b, usual_tolerance).differs());
}

TEST(Diff, TheToleranceIsAllowedInBothDirections) {
  const auto changed = [](double factor) {
    auto b = saved("two-gpus.json");
    check_of(b, "d2d.speed", 0)["evidence"]["value"] = 3.2e12 * factor;
    return compared(saved("two-gpus.json"), b).differs();
  };
  EXPECT_FALSE(changed(0.9001));
  EXPECT_TRUE(changed(0.8999));
  EXPECT_FALSE(changed(1.111));
  EXPECT_TRUE(changed(1.112));
}

TEST(Diff, SaysWhyAVerdictIsAnother) {
  auto b = saved("two-gpus.json");
  auto& row = check_of(b, "framework");
  row["status"] = "fail";
  row["message"] =
      "torch was not found, and that is said in a \u001b message that goes on for more than a hundred columns of text";
  b["summary"]["pass"] = b["summary"]["pass"].get<int>() - 1;
  b["summary"]["fail"] = b["summary"]["fail"].get<int>() + 1;
  EXPECT_THAT(diff_text(compared(saved("two-gpus.json"), b), "a", "b", {}), testing::StartsWith(R"(The reports differ.
  A: a
  B: b

Verdicts
framework
  A  pass    installed: torch 2.10.0, as locked
  B  fail    torch was not found, and that is said in a \x1b message that goes on for more than a
             hundred columns of text

Speeds
)"));
}

TEST(Diff, ItsTextFitsInto100Columns) {
  const auto text = diff_text(compared(saved("two-gpus.json"), saved("doubles.json")), "two-gpus.json", "doubles.json", {});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

}  // namespace
}  // namespace envgen::reports
