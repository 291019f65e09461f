// The steps of a run against a double of docker: what each says of an engine, an image and their words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "bench_text.hpp"
#include "container/owner.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/engine_double.hpp"
#include "support/literals.hpp"
#include "validate/canary.hpp"
#include "validate/flags.hpp"
#include "validate/validate.hpp"

namespace envgen::validate {
namespace {

using test::EngineDouble;
using testing::HasSubstr;

class Steps : public testing::Test {
 protected:
  Steps() {
    docker_.all_well();
    docker_.answer("start.1", test::bench_text());
    docker_.answer("start.2", R"({"python": "3.11.2", "framework": "", "error": ""})");
    options_.image = "mine:1";
    options_.network = "none";
    options_.gpus = "none";
    options_.timeout = std::chrono::seconds(20);
    options_.bench = [](const std::string&) { return std::filesystem::path("/bench"); };
  }
  Report run() {
    std::filesystem::remove(docker_.folder() / "calls");
    auto report = validate::run(options_, [](std::string_view) {});
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : Report{};
  }
  std::string of(std::string_view check) {
    const auto report = run();
    for (const auto& result : report.results) {
      if (result.check == check)
        return std::string(name_of(result.status)) + " " + result.message + (result.prerequisite ? " (prerequisite)" : "");
    }
    return "no result";
  }

  EngineDouble docker_;
  Options options_;
};

TEST_F(Steps, WhatAnEarlierRunLeftIsTold) {
  auto dead = container::Owner::self();
  dead.began = "1";
  docker_.answer("ps", "one\ntwo\n");
  docker_.answer("inspect.1", dead.label() + "\n");
  docker_.answer("inspect.2", dead.label() + "\n");
  EXPECT_EQ(of("engine"), "pass docker 29.1.0 responds; removed 2 container(s) left by an earlier run");
  docker_.answer("rm.1", "", 1, "Error response from daemon: removal is stuck");
  EXPECT_EQ(
      of("engine"),
      "warn docker 29.1.0 responds; removed 1 container(s) left by an earlier run; from an earlier run: the engine did not "
      "remove one (docker rm: exit status 1: Error response from daemon: removal is stuck): docker rm --force one; the next run "
      "also removes it");
}

TEST_F(Steps, AnEngineOfAnotherMachineIsTold) {
  docker_.answer("info", test::replaced(EngineDouble::info(), EngineDouble::host_name(), "elsewhere"));
  docker_.answer("image-inspect", EngineDouble::image(R"("Env": ["NVIDIA_REQUIRE_CUDA=cuda>=12.8"])"));
  options_.gpus = "auto";
  options_.driver = HostDriver{*DriverVersion::parse("535.54.03"), Version(12, 2), false};
  const auto report = run();
  EXPECT_EQ(report.results[0].message, "docker 29.1.0 responds, on another machine");
  EXPECT_EQ(report.gpus, "none") << "the driver of this machine is not the engine's";
  EXPECT_EQ(of("image-gate"), "skip no NVIDIA driver is known for the engine's machine");
  EXPECT_EQ(of("mount-owner"), "skip the engine is not on this machine, so its folders cannot be examined");
}

TEST_F(Steps, GpusAreAskedForWhereTheEngineTellsOfSome) {
  const auto chosen = [&](const std::string& more) {
    docker_.answer("info", EngineDouble::info(more));
    const auto engine = container::Engine::find("docker", util::RunTime(std::chrono::seconds(20)));
    const auto gpus = choose_gpus(options_, *engine);
    EXPECT_EQ(gpus->none(), gpus->said == "none");
    return gpus->said;
  };
  options_.gpus = "auto";
  EXPECT_EQ(chosen(""), "none");
  EXPECT_EQ(chosen(R"(, "Runtimes": {"nvidia": {}})"), "all");
  EXPECT_EQ(chosen(R"(, "DiscoveredDevices": [{"Source": "cdi", "ID": "nvidia.com/gpu=0"}])"), "all");
  EXPECT_EQ(chosen(R"(, "Runtimes": {"runc": {}}, "DiscoveredDevices": [{"Source": "cdi", "ID": "x"}])"), "none");
  options_.driver = HostDriver{*DriverVersion::parse("550.54.14"), Version(12, 4), false};
  EXPECT_EQ(chosen(""), "all");
  options_.profile = Profile::build;
  EXPECT_EQ(chosen(""), "none");
}

TEST_F(Steps, AnInterruptedBenchIsAFailure) {
  docker_.answer("start.1", test::replaced(test::bench_text(), R"("interrupted": false)", R"("interrupted": true)"));
  EXPECT_EQ(of("bench"), "fail envgen-bench was interrupted");
}

TEST_F(Steps, OfTheContainerThatWasNamedTheNamespaceIsCompared) {
  options_.sharing.ipc = "container:other";
  docker_.answer("inspect.1", std::to_string(::getpid()) + "\n");
  const auto inode = std::to_string(*ipc_namespace("self"));
  docker_.answer("start.1", test::replaced(test::bench_text(), R"("inode": 7)", "\"inode\": " + inode));
  EXPECT_EQ(of("ipc"), "pass container: the namespace " + inode + " is the other container's");
  EXPECT_EQ(docker_.calls("inspect").at(0), "inspect|--type|container|--format|{{.State.Pid}}|other|");
  docker_.answer("inspect.1", "", 1, "no such container");
  EXPECT_THAT(of("ipc"), HasSubstr("unknown the namespace cannot be identified: the other container's cannot be read"));
}

TEST_F(Steps, WhoIsToBlameForAStartThatFails) {
  const auto start = [&](const std::string& words) {
    docker_.answer("create", "", 125, words);
    return of("start");
  };
  const std::string failed = "fail docker create: exit status 125: ";
  EXPECT_EQ(start("no way known"), failed + "no way known");
  const std::string no_driver = "could not select device driver \"\" with capabilities: [[gpu]]";
  EXPECT_EQ(start(no_driver), failed + no_driver + " (prerequisite)");
  const std::string older =
      "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8, please update your driver";
  EXPECT_EQ(start(older), failed + older);
}

TEST_F(Steps, WithoutABenchForItsProcessorThePythonIsAsked) {
  options_.bench = [](const std::string& architecture) -> Expected<std::filesystem::path> {
    return fail(ErrorCode::missing, "no envgen-bench for " + architecture, "--bench", {"a hint"});
  };
  docker_.answer("start.1", R"({"python": "3.11.2", "framework": "", "error": ""})");
  EXPECT_EQ(of("bench"), "fail no envgen-bench for amd64 (a hint) (prerequisite)");
  EXPECT_THAT(of("python"), HasSubstr("skip Python 3.11.2"));
  EXPECT_EQ(of("removed"), "pass the container was removed");
}

TEST_F(Steps, ThePythonIsThatOfTheLock) {
  Environment lock;
  lock.python = "3.11"_python;
  lock.torch = Environment::FrameworkBuild();
  options_.lock = LockedTo{"envgen.lock", "sha256:1", lock, true};
  docker_.answer("start.1", test::with_programs(R"({"program": null, "end": "not-there"})", "null"));
  EXPECT_EQ(of("python"), "fail Python 3.11 is locked but was not found");
}

TEST_F(Steps, TheGpusAreThoseOfTheLockOrThoseThatWereNamed) {
  docker_.answer(
      "start.2",
      R"({"python": "3.11.2", "framework": "torch", "version": "2.3.1", "cuda": "12.1", "archs": ["sm_80"], "error": ""})");
  options_.matrix = matrix::embedded();
  EXPECT_EQ(of("gpu-archs"), "skip no known GPU to compare with (--gpu NAME names one)");
  Environment lock;
  lock.torch = Environment::FrameworkBuild();
  lock.gpus.resize(1);
  lock.gpus[0].name = "A100";
  lock.gpus[0].capability = "8.0"_capability;
  options_.lock = LockedTo{"envgen.lock", "sha256:1", lock, true};
  EXPECT_EQ(of("gpu-archs"), "pass runs on A100 (8.0) with the binaries for 8.0");
  Request request;
  request.values.push_back({Field::gpu, "RTX 5090", Origin::flag, "--gpu"});
  options_.asked = *resolver::interpret(*options_.matrix, request);
  EXPECT_THAT(of("gpu-archs"), HasSubstr("fail torch 2.3.1 has neither binaries nor PTX for "));
}

TEST_F(Steps, TheReportSaysWhatItIsOf) {
  const auto report = run();
  EXPECT_EQ(report.image, "mine:1");
  EXPECT_EQ(report.profile, "smoke");
  EXPECT_EQ(report.engine, "docker 29.1.0");
  EXPECT_EQ(report.lock, "");
  EXPECT_THAT(report.started, testing::MatchesRegex("20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
  EXPECT_GT(report.seconds, 0.0);
  EXPECT_LT(report.seconds, 20.0);
}

TEST(Flags, EachFormOfIpcIsTakenOrRefused) {
  Options options;
  for (const auto* good : {"", "host", "private", "shareable", "none", "container:x"}) {
    options.sharing.ipc = good;
    EXPECT_TRUE(check_flags(options)) << good;
  }
  for (const auto* bad : {"container", "container:", "Host", "x:y"}) {
    options.sharing.ipc = bad;
    const auto refused = check_flags(options);
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().message, "'" + std::string(bad) + "' is not an IPC mode");
    EXPECT_THAT(refused.error().hints, testing::ElementsAre("host, private, shareable, none, or container:NAME"));
  }
}

TEST_F(Steps, AnImageThatIsNotThereIsNotStarted) {
  docker_.answer("image-inspect", "", 1, "Error: the storage is broken");
  EXPECT_EQ(of("image"), "fail docker image inspect: exit status 1: Error: the storage is broken (prerequisite)");
  EXPECT_EQ(of("start"), "skip there is no image");
  EXPECT_EQ(of("removed"), "skip there is no image");
}

}  // namespace
}  // namespace envgen::validate
