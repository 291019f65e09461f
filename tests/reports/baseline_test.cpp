// A regression is found, and nothing else is taken for one.
#include "reports/baseline.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "saved.hpp"

namespace envgen::reports {
namespace {

using test::check_of;
using test::Json;
using test::parsed;
using test::saved;
using testing::HasSubstr;

/// `status message` of each result of the check.
std::vector<std::string> judged(const Json& now, const Json& before, double tolerance = usual_tolerance) {
  auto report = parsed(now);
  compare_with_baseline(report, parsed(before), "old.json", tolerance);
  std::vector<std::string> said;
  for (const auto& result : report.results) {
    if (result.check == "baseline") said.push_back(std::string(name_of(result.status)) + " " + result.message);
  }
  return said;
}

void set_speed(Json& json, const std::string& id, int device, double value) {
  check_of(json, id, device)["evidence"]["value"] = value;
}

TEST(Baseline, TheSame) {
  const auto said = judged(saved("two-gpus.json"), saved("two-gpus.json"));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(
      said[0],
      "pass 9 speeds are within 10% of old.json; the lowest is 100.0% of it: d2d 512 MiB on GPU 0; not compared: the GPU is "
      "throttled (gemm-bf16 n=8192 on GPU 1)");
}

TEST(Baseline, Slower) {
  const auto said = judged(saved("two-gpus-later.json"), saved("two-gpus.json"));
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0], "fail d2d 512 MiB on GPU 0: 2.7 TB/s, against 3.2 TB/s in old.json: 15.6% slower (10% is allowed)");
  EXPECT_EQ(said[1], "unknown not compared: the GPU is throttled (gemm-bf16 n=8192 on GPU 1)");
  EXPECT_THAT(judged(saved("two-gpus-later.json"), saved("two-gpus.json"), 16)[0], HasSubstr("pass 7 speeds are within 16%"));
}

TEST(Baseline, TheToleranceIsAllowed) {
  auto now = saved("two-gpus.json");
  set_speed(now, "d2d.speed", 0, 3.2e12 * 0.9001);
  EXPECT_THAT(judged(now, saved("two-gpus.json"))[0], HasSubstr("pass"));
  set_speed(now, "d2d.speed", 0, 3.2e12 * 0.8999);
  EXPECT_THAT(judged(now, saved("two-gpus.json"))[0], HasSubstr("fail"));
}

TEST(Baseline, FasterIsNoFailure) {
  auto now = saved("two-gpus.json");
  set_speed(now, "d2d.speed", 0, 9e12);
  EXPECT_THAT(judged(now, saved("two-gpus.json"))[0], HasSubstr("pass"));
}

TEST(Baseline, OfOtherGpusOfTheModelTheSlowestIsCompared) {
  auto now = saved("two-gpus.json");
  for (auto& check : now["checks"]) {  // GPUs that the earlier report does not have
    if (check["device"].is_number()) check["device"] = check["device"].get<int>() + 2;
    if (check["evidence"].contains("peer")) check["evidence"]["peer"] = check["evidence"]["peer"].get<int>() + 2;
  }
  for (auto& gpu : now["machine"]["gpus"]) gpu["ordinal"] = gpu["ordinal"].get<int>() + 2;
  auto before = saved("two-gpus.json");
  for (const bool first : {true, false}) {
    set_speed(before, "d2d.speed", first ? 0 : 1, 3.2e12);
    set_speed(before, "d2d.speed", first ? 1 : 0, 2e12);
    for (const int device : {2, 3}) set_speed(now, "d2d.speed", device, 1.9e12);
    EXPECT_THAT(judged(now, before), testing::Each(testing::Not(HasSubstr("fail d2d"))));
    set_speed(now, "d2d.speed", 2, 1.7e12);
    EXPECT_THAT(judged(now, before),
                testing::Contains(HasSubstr("fail d2d 512 MiB on GPU 2: 1.7 TB/s, against 2 TB/s in old.json")));
  }
}

TEST(Baseline, OfASpeedThatStandsTwiceTheSlowerIsCompared) {
  const auto now = saved("two-gpus.json");
  for (const bool slower_first : {true, false}) {
    auto before = parsed(saved("two-gpus.json"));
    auto again =
        *std::find_if(before.results.begin(), before.results.end(), [](const auto& one) { return one.check == "d2d.speed"; });
    again.evidence["value"] = slower_first ? 9e12 : 3.1e12;
    before.results.push_back(again);
    auto report = parsed(now);
    compare_with_baseline(report, before, "old.json", usual_tolerance);
    EXPECT_EQ(report.count(validate::Status::fail), parsed(now).count(validate::Status::fail)) << "3.2 TB/s is no slower";
  }
}

TEST(Baseline, AnotherModel) {
  auto now = saved("two-gpus.json");
  for (auto& gpu : now["machine"]["gpus"]) gpu["name"] = "Other GPU";
  set_speed(now, "d2d.speed", 0, 1e12);
  const auto said = judged(now, saved("two-gpus.json"));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], HasSubstr("unknown no speed could be compared with old.json: "));
  EXPECT_THAT(said[0], HasSubstr("the earlier report has no Other GPU (d2d 512 MiB on GPU 0, "));
}

TEST(Baseline, ANumberThatIsAnotherModel) {
  // The machines number their GPUs otherwise: the same model is found, and its slowest is what counts.
  auto before = saved("two-gpus.json");
  before["machine"]["gpus"][0]["name"] = "Other GPU";
  auto now = saved("two-gpus.json");
  now["machine"]["gpus"][1]["name"] = "Third GPU";
  EXPECT_THAT(judged(now, before)[0], HasSubstr("the earlier report has no Third GPU"));
  set_speed(now, "d2d.speed", 0, 1.9e12);  // GPU 1 of the baseline has 1.92e12
  EXPECT_THAT(judged(now, before)[0], HasSubstr("pass"));
}

TEST(Baseline, OtherSizes) {
  auto now = saved("two-gpus.json");
  check_of(now, "d2d", 0)["evidence"]["bytes"] = 1024;
  set_speed(now, "d2d.speed", 0, 1e9);
  EXPECT_THAT(judged(now, saved("two-gpus.json"))[0], HasSubstr("; the earlier report has other sizes (d2d 1 KiB on GPU 0)"));
}

TEST(Baseline, Throttled) {
  auto before = saved("two-gpus.json");
  check_of(before, "d2d.speed", 0)["evidence"]["excuse"] = "the GPU is in MIG mode";
  check_of(before, "d2d.speed", 1)["evidence"]["excuse"] = "the GPU is in MIG mode";
  auto now = saved("two-gpus.json");
  set_speed(now, "d2d.speed", 0, 1e9);
  EXPECT_THAT(judged(now, before)[0], HasSubstr("in the earlier report the GPU is in MIG mode (d2d 512 MiB on GPU 0"));
}

TEST(Baseline, Doubles) {
  auto slow = saved("two-gpus-later.json");
  slow["doubles"] = {"libcuda"};
  EXPECT_THAT(judged(slow, saved("two-gpus.json")),
              testing::ElementsAre("skip test doubles replaced libcuda, so the speeds mean nothing"));
  auto before = saved("two-gpus.json");
  before["doubles"] = {"libcuda"};
  EXPECT_THAT(judged(saved("two-gpus-later.json"), before),
              testing::ElementsAre("skip old.json: test doubles replaced libcuda, so the speeds mean nothing"));
}

TEST(Baseline, NoSpeeds) {
  auto none = saved("doubles.json");
  none["doubles"] = Json::array();
  EXPECT_THAT(judged(none, saved("two-gpus.json")), testing::ElementsAre("unknown no comparable speed was measured"));
  EXPECT_THAT(judged(saved("two-gpus.json"), none), testing::ElementsAre("unknown old.json has no speeds"));
}

}  // namespace
}  // namespace envgen::reports
