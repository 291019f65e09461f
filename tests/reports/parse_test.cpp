// Reports that are read back: what they hold survives, and what is wrong with them is said.
#include "reports/parse.hpp"

#include <gmock/gmock.h>

#include "reports/view.hpp"
#include "saved.hpp"

namespace envgen::reports {
namespace {

using test::Json;
using test::parsed;
using test::saved;

TEST(Parse, ASavedReportGivesTheSameBytes) {
  for (const auto* name : {"two-gpus.json", "doubles.json"}) {
    const auto once = parsed(saved(name));
    const auto again = parse_report(json(once), "R.json");
    ASSERT_TRUE(again) << again.error().message;
    for (const auto format : {Format::text, Format::json, Format::junit, Format::github, Format::markdown, Format::html})
      EXPECT_EQ(view(once, format, {}), view(*again, format, {}));
  }
}

TEST(Parse, WhatAReportHolds) {
  const auto report = parsed(saved("two-gpus.json"));
  EXPECT_EQ(report.program, "envgen 0.1.0");
  EXPECT_EQ(report.started, "2026-11-22T10:00:00Z");
  EXPECT_EQ(report.image, "example:1");
  EXPECT_EQ(report.machine.driver, "580.65.06");
  ASSERT_EQ(report.machine.gpus.size(), 2U);
  EXPECT_EQ(report.machine.gpus[1].name, "Example GPU");
  EXPECT_EQ(report.machine.gpus[1].temperature_c, 32);
  EXPECT_EQ(report.machine.gpus[1].mig, false);
  EXPECT_EQ(report.machine.libraries[0], std::pair(std::string("libcudart"), std::string("12.8")));
  EXPECT_EQ(report.count(validate::Status::fail), 1U);
  EXPECT_TRUE(report.failed());
}

/// A report of an envgen before `program`, `started` and `machine`.
TEST(Parse, AnOlderReport) {
  auto old = saved("doubles.json");
  for (const auto* added : {"program", "started", "machine"}) old.erase(added);
  const auto report = parsed(old);
  EXPECT_EQ(report.program, "");
  EXPECT_TRUE(report.machine.gpus.empty());
}

TEST(Parse, AFailureThatOnlyANewerEnvgenKnows) {
  auto newer = saved("two-gpus.json");
  test::check_of(newer, "kernel", 1)["diagnosis"] = {{"id", "cuda-new"}, {"cause", "c"}, {"fix", "do this"}, {"commands", {}}};
  const auto report = parsed(newer);
  EXPECT_THAT(text(report, {}), testing::HasSubstr("on the device [cuda-new: do this]\n"));
}

TEST(Parse, NothingSteersATerminal) {
  auto hostile = saved("two-gpus.json");
  hostile["image"] = "a\x1b[2J";
  hostile["machine"]["gpus"][0]["name"] = "GPU\n\x1b]0;x\x07";
  test::check_of(hostile, "engine")["message"] = "one\ntwo\x1b[31m";
  const auto report = parsed(hostile);
  EXPECT_EQ(report.image, "a\\x1b[2J");
  EXPECT_EQ(report.machine.gpus[0].name, "GPU\\x0a\\x1b]0;x\\x07");
  EXPECT_EQ(text(report, {}).find('\x1b'), std::string::npos);
}

TEST(Parse, OfEnvgenBench) {
  const auto report = parse_report(R"({"schema_version": 1, "program": {"name": "envgen-bench", "version": "0.1.0"},
    "started": "2026-11-22T10:00:00Z", "seconds": 2.5, "profile": "smoke", "interrupted": true,
    "driver": {"kernel_module": null, "libcuda_release": "580.65.06", "cuda": "13.0"},
    "libraries": [{"name": "libcudart", "version": "12.4"}, {"name": "libnccl", "version": null}],
    "gpu": {"present": true, "absent": false}, "gpus": [{"ordinal": 0, "name": "A", "state": null}], "doubles": [],
    "summary": {"pass": 1, "warn": 0, "fail": 0, "skip": 0, "unknown": 0},
    "tests": [{"id": "probe", "device": null, "status": "pass", "message": "1 GPU", "evidence": {}, "failure": null}]})",
                                   "bench.json");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->image, "");
  EXPECT_EQ(report->program, "envgen-bench 0.1.0");
  EXPECT_EQ(report->seconds, 2.5);
  EXPECT_EQ(report->machine.driver, "580.65.06");
  EXPECT_EQ(report->machine.gpus[0].name, "A");
  EXPECT_EQ(report->machine.libraries.size(), 1U);
  EXPECT_EQ(report->results.back().message, "envgen-bench was interrupted");
}

struct Wrong {
  std::string text;
  std::string message;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.message; }

class Refused : public testing::TestWithParam<Wrong> {};

TEST_P(Refused, SaysWhy) {
  const auto report = parse_report(GetParam().text, "R.json");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::bad_input);
  EXPECT_EQ(report.error().origin, "R.json");
  EXPECT_EQ(report.error().message, GetParam().message);
}

std::string with(const std::string& member, const Json& value) {
  auto json = saved("doubles.json");
  json[Json::json_pointer(member)] = value;
  return json.dump();
}

std::string without(const std::string& member) {
  auto json = saved("doubles.json");
  json.erase(member);
  return json.dump();
}

INSTANTIATE_TEST_SUITE_P(
    Reports, Refused,
    testing::Values(
        Wrong{"", "it is empty"}, Wrong{" \n", "it is empty"}, Wrong{"[]", "not a report from envgen validate or envgen-bench"},
        Wrong{R"({"torch": 1})", "not a report from envgen validate or envgen-bench"},
        Wrong{R"({"program": {"name": "other"}})", "another program wrote it"},
        Wrong{without("schema_version"), "it has no schema_version"},
        Wrong{with("/schema_version", 2), "its schema_version is 2, but this envgen supports 1: a newer envgen reads it"},
        Wrong{with("/schema_version", 0), "unknown schema_version 0"}, Wrong{with("/image", 7), "its image is not a string"},
        Wrong{with("/image", nullptr), "its image is empty"}, Wrong{without("lock"), "its lock is not a string"},
        Wrong{without("doubles"), "its doubles are not a list"}, Wrong{with("/doubles", {1}), "its doubles are not strings"},
        Wrong{with("/seconds", "1"), "its seconds are not a number"},
        Wrong{with("/checks", Json::array()), "its checks are not a list, or the list is empty"},
        Wrong{without("summary"), "it has no summary"}, Wrong{with("/checks/1/id", "A b"), "checks/1: it has no id"},
        Wrong{with("/checks/1/status", nullptr), "checks/1: it has no status"},
        Wrong{with("/checks/1/status", "good"), "checks/1: 'good' is not a status"},
        Wrong{with("/checks/1/message", nullptr), "checks/1: it has no message"},
        Wrong{with("/checks/1/device", "0"), "checks/1: its device is not a number"},
        Wrong{with("/checks/1/evidence", nullptr), "checks/1: its evidence is not an object"},
        Wrong{with("/checks/1/diagnosis", Json::object()), "checks/1: its diagnosis has no id"},
        Wrong{with("/summary/pass", 7), "its summary does not match its checks: 3 have the status pass"},
        Wrong{with("/ok", false), "its ok does not match its checks"}));

TEST(Parse, ACutReport) {
  const auto whole = saved("doubles.json").dump(2);
  const auto cut = parse_report(whole.substr(0, whole.size() / 2), "R.json");
  ASSERT_FALSE(cut);
  EXPECT_THAT(cut.error().origin, testing::StartsWith("R.json"));
  EXPECT_EQ(cut.error().message, "the report is truncated (line 43, column 2)");
}

}  // namespace
}  // namespace envgen::reports
