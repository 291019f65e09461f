// A report of results: counted, sorted, required, and why what was not made was not.
#include "validate/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validate/judge.hpp"

namespace envgen::validate {
namespace {

using testing::ElementsAre;

TEST(Report, CountsAndSaysWhatItCounted) {
  Report report;
  for (int i = 0; i < 5; ++i) report.add("a", Status::pass, "");
  for (int i = 0; i < 4; ++i) report.add("b", Status::fail, "");
  for (int i = 0; i < 3; ++i) report.add("c", Status::warn, "");
  for (int i = 0; i < 2; ++i) report.add("d", Status::unknown, "");
  report.add("e", Status::skip, "");
  EXPECT_EQ(summary(report), "5 passed, 4 failed, 3 warned, 2 unknown, 1 skipped");
  EXPECT_TRUE(report.failed());
  EXPECT_TRUE(report.has("e"));
  EXPECT_FALSE(report.has("f"));
}

TEST(Report, LacksAPrerequisiteOnlyWhereOneFailed) {
  Report report;
  report.add("engine", Status::pass, "").prerequisite = true;
  report.add("start", Status::fail, "");
  EXPECT_FALSE(report.lacks_prerequisite());
  report.add("bench", Status::fail, "").prerequisite = true;
  EXPECT_TRUE(report.lacks_prerequisite());
}

TEST(Report, StatusesAreReadByTheirNames) {
  for (const auto status : {Status::pass, Status::warn, Status::fail, Status::skip, Status::unknown})
    EXPECT_EQ(parse_status(name_of(status)), status);
  for (const auto* name : {"", "passed", "Pass"}) EXPECT_EQ(parse_status(name), std::nullopt) << name;
}

TEST(Report, NamesATestDoubleOnce) {
  Report report;
  report.add_doubles({"libcuda", "hook"});
  report.add_doubles({"hook", "libnccl"});
  EXPECT_THAT(report.doubles, ElementsAre("libcuda", "hook", "libnccl"));
}

TEST(Report, StandsInTheOrderOfTheTableWithASpeedBesideItsTest) {
  Report report;
  for (const auto* check : {"removed", "unheard-of", "d2d.speed", "ipc", "d2d", "engine", "h2d", "ipc"})
    report.add(check, Status::pass, std::to_string(report.results.size()));
  report.sort();
  std::vector<std::string> order;
  for (const auto& result : report.results) order.push_back(result.check + " " + result.message);
  EXPECT_THAT(order, ElementsAre("engine 5", "h2d 6", "d2d.speed 2", "d2d 4", "ipc 3", "ipc 7", "removed 0", "unheard-of 1"));
}

TEST(Report, EachCheckWithoutAResultIsSkippedWithItsReason) {
  Report report;
  report.add("engine", Status::pass, "answers");
  report.skip_rest([](const Check& check) { return "why not " + std::string(check.id); });
  ASSERT_EQ(report.results.size(), checks().size());
  for (const auto& result : report.results) {
    if (result.check == "engine") continue;
    EXPECT_EQ(result.status, Status::skip);
    EXPECT_EQ(result.message, result.check == "baseline" ? "no --baseline was given" : "why not " + result.check);
  }
}

/// `status message` of the results of a check, after it was required as `name`.
std::vector<std::string> required(const std::string& name, const std::vector<Result>& results) {
  Report report;
  report.results = results;
  report.require({name});
  std::vector<std::string> texts;
  for (const auto& result : report.results) texts.push_back(std::string(name_of(result.status)) + " " + result.message);
  return texts;
}

Result ipc(Status status, const char* mode) {
  Result result{"ipc", status, mode};
  result.evidence = {{"mode", mode}};
  return result;
}

TEST(Require, WhatPassedOrFailedStaysAsItIs) {
  EXPECT_THAT(required("h2d", {{"h2d", Status::pass, "a"}, {"d2h", Status::warn, "b"}}), ElementsAre("pass a", "warn b"));
  EXPECT_THAT(required("h2d", {{"h2d", Status::warn, "a"}, {"h2d", Status::fail, "b"}}), ElementsAre("warn a", "fail b"));
  EXPECT_THAT(required("h2d", {{"h2d", Status::unknown, "a"}, {"h2d", Status::pass, "b"}}), ElementsAre("unknown a", "pass b"));
  EXPECT_THAT(required("ipc-host", {ipc(Status::pass, "host")}), ElementsAre("pass host"));
  EXPECT_THAT(required("ipc", {ipc(Status::pass, "private")}), ElementsAre("pass private"));
}

TEST(Require, TheFirstResultOfACheckThatProvesNothingFails) {
  EXPECT_THAT(required("h2d", {{"d2h", Status::skip, "x"}, {"h2d", Status::unknown, "a"}, {"h2d", Status::warn, "b"}}),
              ElementsAre("skip x", "fail --require h2d: not proven: a", "warn b"));
  EXPECT_THAT(required("ipc-host", {ipc(Status::unknown, "host")}), ElementsAre("fail --require ipc-host: not proven: host"));
  EXPECT_THAT(required("ipc-host", {ipc(Status::pass, "private-host-shm")}),
              ElementsAre("fail --require ipc-host: not satisfied: private-host-shm"));
}

/// Why a check of a run was not made. The run came to its end without a GPU, and without a word of Python.
class NotMade : public testing::Test {
 protected:
  NotMade() {
    seen_.image = container::Image{};
    seen_.start = reported_.launched;
    seen_.bench = reported_;
    seen_.python.emplace().launched.end = Launched::End::failed;
  }
  std::string why(std::string_view check) const { return why_not_made(options_, seen_, *find_check(check)); }
  std::string why_here(std::string_view check) const { return why_not_made_here(options_, seen_, *find_check(check)); }

  Options options_;
  BenchTold reported_{{.end = Launched::End::done}, BenchReport{}};
  ImageSeen seen_;
};

TEST_F(NotMade, OfAnImageWithoutAGpu) {
  EXPECT_EQ(why("kernel"), "no GPU was found here (to request GPUs anyway: --gpus all)");
  EXPECT_EQ(why("framework-gpu"), "no GPU was found here (to request GPUs anyway: --gpus all)");
  options_.gpus = "none";
  EXPECT_EQ(why("kernel"), "--gpus none was requested");
  options_.profile = Profile::build;
  EXPECT_EQ(why("kernel"), "--profile build runs nothing that needs a GPU");
  EXPECT_EQ(why("shm"), "envgen-bench does not report it");
  EXPECT_EQ(why("archs"), "the image's Python does not report it");
  EXPECT_EQ(why("self-report"), "the image's Python does not report it");
  seen_.python->report = SelfReport{};
  EXPECT_EQ(why("self-report"), "the files were not examined");
  EXPECT_EQ(why("archs"), "the image's Python does not report it");
  seen_.python->launched.end = Launched::End::not_there;
  EXPECT_EQ(why("archs"), "the image has no Python");
}

TEST_F(NotMade, OfAnImageWithGpus) {
  options_.gpus = "all";
  seen_.gpus.selection.all = true;
  EXPECT_EQ(why("nccl"), "not part of --profile smoke (full runs it)");
  EXPECT_EQ(why("framework-gpu"), "the image's Python does not report it");
  options_.profile = Profile::full;
  EXPECT_EQ(why("nccl"), "envgen-bench does not report it");
  seen_.bench.reset();
  EXPECT_EQ(why("nccl"), "envgen-bench did not report");
  EXPECT_EQ(why("ipc"), "envgen-bench did not report");
  const auto stopped = [&](const char* by) {
    for (const auto* check : {"nccl", "archs", "image", "ipc"}) EXPECT_EQ(why(check), by);
  };
  seen_.start->end = Launched::End::refused;
  stopped("the container did not start");
  seen_.start = out_of_time();
  stopped("the container did not start");
  seen_.image = fail(ErrorCode::missing, "none");
  stopped("there is no image");
  seen_.engine.leftovers = fail(ErrorCode::missing, "none");
  stopped("no engine responds");
}

TEST_F(NotMade, Here) {
  for (const auto* check : {"engine", "image", "lock-label", "image-gate", "start", "gpu-cdi", "gpu-hook", "user", "mount-owner",
                            "shm-size", "removed"})
    EXPECT_EQ(why_here(check), "it needs an image and a container, and --here has neither") << check;
  EXPECT_EQ(why_here("driver-files"), "driver libraries are expected outside an image");
  EXPECT_EQ(why_here("second-libraries"), "the environment's location is unknown");
  EXPECT_EQ(why_here("archs"), "Python does not report it");
  EXPECT_EQ(why_here("kernel"), "no GPU was found here (to request GPUs anyway: --gpus all)");
  seen_.python->launched.end = Launched::End::not_there;
  EXPECT_EQ(why_here("archs"), "there is no Python on PATH");
  options_.python = "/x/python";
  EXPECT_EQ(why_here("archs"), "the named Python cannot be queried");
  seen_.bench.reset();
  EXPECT_EQ(why_here("second-libraries"), "envgen-bench did not report");
  EXPECT_EQ(why_here("ipc"), "envgen-bench did not report");
}

}  // namespace
}  // namespace envgen::validate
