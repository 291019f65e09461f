// Reports of what a run saw, made by hand: no engine, no program and no file is there.
#include "validate/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/literals.hpp"

namespace envgen::validate {
namespace {

std::string of(const Report& report, std::string_view check) {
  for (const auto& result : report.results) {
    if (result.check == check) return std::string(name_of(result.status)) + " " + result.message;
  }
  return "no result";
}

/// An image whose programs have told all that they were asked for.
class Judge : public testing::Test {
 protected:
  Judge() {
    seen_.engine.name = "docker 29.1.0";
    seen_.engine.facts.local = true;
    seen_.image = container::Image{};
    seen_.image->value().user = "dev";
    seen_.bench = BenchTold{{Launched::End::done}, BenchReport{}};
    seen_.start = seen_.bench->launched;
    seen_.python = PythonTold{{Launched::End::done}, SelfReport{}};
    seen_.python->report->python = "3.11.2";
    seen_.python->report->library = "/usr/lib/python3.11/os.py";
    seen_.files.emplace().folders.emplace_back().complete = true;
    seen_.files->folders[0].packages.push_back({"python", "3.11", {}, {}, "/usr/lib/python3.11/os.py"});
    seen_.mount.emplace().launched.end = Launched::End::done;
    seen_.mount->touch_error = "";
    seen_.mount->owner = FileOwner{1000, 100};
    seen_.mount->caller = 1000;
    options_.image = "mine:1";
    options_.network = "none";
    options_.lock = LockedTo{"envgen.lock", "sha256:1", Environment{}, true};
    options_.lock->environment.python = "3.11"_python;
    options_.lock->environment.torch = Environment::FrameworkBuild();
  }
  std::string of_image(std::string_view check) const { return of(judge_image(options_, seen_, {}), check); }

  Options options_;
  ImageSeen seen_;
};

TEST_F(Judge, EveryCheckOfAnImageHasAResult) {
  const auto report = judge_image(options_, seen_, {});
  for (const auto& check : checks()) EXPECT_TRUE(report.has(check.id)) << check.id;
  EXPECT_EQ(report.image + "|" + report.engine + "|" + report.lock, "mine:1|docker 29.1.0|envgen.lock");
  EXPECT_EQ(of(report, "start"), "pass started with --network=none");
}

TEST_F(Judge, TheUserIsRootWhereWhatItWroteIs) {
  EXPECT_EQ(of_image("user"), "pass runs as dev");
  seen_.mount->owner = FileOwner{0, 0};
  EXPECT_EQ(of_image("user"), "warn runs as dev, whose uid is 0: files it writes to a mount belong to root");
  seen_.image->value().user = "root";
  EXPECT_EQ(of_image("user"), "warn the container runs as root, and files it writes to a mount belong to root");
}

TEST_F(Judge, AWordOfPythonThatTheFilesContradictProvesNothing) {
  EXPECT_EQ(of_image("python"), "pass Python 3.11.2, as locked");
  EXPECT_EQ(of_image("self-report"), "pass confirmed by the files: Python 3.11");
  seen_.files->folders[0].packages[0].version = "3.12";
  EXPECT_EQ(of_image("python"), "unknown Python 3.11.2, as locked; the files contradict this (self-report)");
  seen_.files->folders.clear();
  EXPECT_EQ(of_image("python"), "pass Python 3.11.2, as locked");
  EXPECT_EQ(of_image("self-report"), "unknown Python's report could not be compared with the image's files");
}

TEST_F(Judge, WhatWasWrittenIntoAMount) {
  const std::string not_written = "unknown nothing was written to a mount: ";
  EXPECT_EQ(of_image("mount-owner"), "pass files it writes to a mount belong to 1000:100, like your own files");
  seen_.mount->owner.reset();
  EXPECT_EQ(of_image("mount-owner"), "fail the user cannot write to a mounted folder");
  seen_.mount->touch_error = "Permission denied";
  EXPECT_EQ(of_image("mount-owner"), "fail the user cannot write to a mounted folder: Permission denied");
  seen_.mount->touch_error.reset();
  seen_.mount->launched.words = {"died"};
  EXPECT_EQ(of_image("mount-owner"), not_written + "envgen-bench did not report: died");
  seen_.mount->launched = out_of_time();
  EXPECT_EQ(of_image("mount-owner"), not_written + out_of_time().why);
  seen_.mount->launched.end = Launched::End::not_there;
  EXPECT_EQ(of_image("mount-owner"), "skip envgen-bench does not run in the image");
  seen_.mount->no_folder = Error{ErrorCode::internal, "cannot create a temporary folder", "/nowhere", {}};
  EXPECT_EQ(of_image("mount-owner"), "unknown /nowhere: cannot create a temporary folder");
  seen_.mount.reset();
  EXPECT_EQ(of_image("mount-owner"), "skip the engine is not on this machine, so its folders cannot be examined");
}

TEST_F(Judge, AContainerThatDidNotStartLeavesTheRestUnmade) {
  seen_.bench.reset();
  seen_.python.reset();
  seen_.files.reset();
  seen_.mount.reset();
  seen_.start = out_of_time();
  const auto report = judge_image(options_, seen_, {});
  EXPECT_EQ(of(report, "start"), "fail the engine left no time to start it (--timeout gives more)");
  for (const auto* check : {"bench", "ipc", "python", "mount-owner", "driver-files", "self-report"})
    EXPECT_EQ(of(report, check), "skip the container did not start") << check;
  EXPECT_TRUE(report.lacks_prerequisite());
}

TEST_F(Judge, WhatTheEngineDidNotRemove) {
  seen_.containers = 1;
  EXPECT_EQ(of_image("removed"), "pass the container was removed");
  seen_.containers = 2;
  EXPECT_EQ(of_image("removed"), "pass all 2 containers were removed");
  const auto report = judge_image(options_, seen_, {{container::EngineKind::docker, "one", "it is stuck"}});
  EXPECT_EQ(of(report, "removed"),
            "fail the engine did not remove one (it is stuck): docker rm --force one; the next run "
            "also removes it");
}

TEST_F(Judge, TheSameHereHasNoContainer) {
  auto& bench = *seen_.bench->report;
  bench.rows.push_back({"ipc", Status::pass, "private"});
  bench.rows.back().evidence = {{"inode", 7}, {"mode", "private"}};
  seen_.outside.host_known = true;
  EXPECT_EQ(of_image("ipc"), "pass private: private");
  EXPECT_EQ(of_image("shm-size"), "skip no --shm-size was requested");
  seen_.python->report->prefix = "/opt/venv";
  const auto report = judge_here(options_, seen_);
  EXPECT_EQ(report.image, "this environment");
  EXPECT_EQ(of(report, "ipc"), "pass the namespace 7 of a container");
  EXPECT_EQ(of(report, "shm-size"), "skip it needs an image and a container, and --here has neither");
  EXPECT_EQ(of(report, "second-libraries"), "pass below /opt/venv: neither the CUDA Runtime nor cuDNN is present");
  EXPECT_EQ(of(report, "user"), "skip it needs an image and a container, and --here has neither");
}

}  // namespace
}  // namespace envgen::validate
