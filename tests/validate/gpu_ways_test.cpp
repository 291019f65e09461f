// The two ways to a GPU: what a run tells of its own, and what a container more tells of the other, by engine and its age.
#include "validate/gpu_ways.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/utsname.h>

#include "bench_text.hpp"
#include "support/engine_double.hpp"
#include "validate/validate.hpp"

namespace envgen::validate {
namespace {

using container::EngineFacts;
using container::EngineKind;
using test::EngineDouble;
using testing::ElementsAre;
using testing::HasSubstr;

EngineFacts docker(const std::string& version, std::vector<std::string> cdi_devices = {}) {
  EngineFacts facts;
  facts.version = version;
  facts.cdi_devices = std::move(cdi_devices);
  return facts;
}

/// The flags with spaces, or why there are none.
std::string forced(GpuWay way, EngineKind kind, const EngineFacts& facts, const files::GpuSelection& selection) {
  const auto flags = forced_flags(way, kind, facts, selection);
  if (!flags) return "none: " + flags.error().message;
  std::string text;
  for (const auto& word : *flags) text += (text.empty() ? "" : " ") + word;
  return text;
}

const files::GpuSelection all{true, std::nullopt, {}};
const files::GpuSelection two_gpus{false, 2, {}};
const files::GpuSelection named{false, std::nullopt, {"0", "GPU-1"}};

TEST(GpuWays, EachEngineIsForcedInItsOwnWords) {
  const auto docker_cdi = [](const EngineFacts& facts, const files::GpuSelection& selection) {
    return forced(GpuWay::cdi, EngineKind::docker, facts, selection);
  };
  EXPECT_EQ(docker_cdi(docker("20.10.24+dfsg1"), all), "none: docker 20.10.24 does not support CDI (25.0 and later do)");
  EXPECT_EQ(docker_cdi(docker("26.1.5+dfsg1"), all),
            "none: docker 26.1.5 does not list its CDI devices (28.2 and later do); --cdi requests them");
  EXPECT_EQ(docker_cdi(docker("28.2.2"), all), "none: docker found no CDI device nvidia.com/gpu");
  EXPECT_EQ(docker_cdi(docker("28.2.2", {"vendor.org/gpu=0"}), all), "none: docker found no CDI device nvidia.com/gpu");
  const std::vector<std::string> found{"nvidia.com/gpu=0", "nvidia.com/gpu=all"};
  EXPECT_EQ(docker_cdi(docker("28.2.2", found), all), "--device nvidia.com/gpu=all --security-opt label=disable");
  EXPECT_EQ(docker_cdi(docker("28.2.2", found), two_gpus),
            "--device nvidia.com/gpu=0 --device nvidia.com/gpu=1 --security-opt label=disable");
  EXPECT_EQ(docker_cdi(docker("29.2.0-rc.1", found), all), "--gpus all,driver=nvidia.cdi");
  EXPECT_EQ(docker_cdi(docker("29.2.0", found), two_gpus), "--gpus 2,driver=nvidia.cdi");
  EXPECT_EQ(docker_cdi(docker("29.2.0", found), named), "--gpus \"device=0,GPU-1\",driver=nvidia.cdi");
  EXPECT_EQ(docker_cdi(docker("dev"), all), "none: unknown docker version: 'dev'");

  const auto docker_hook = [](const std::string& version) {
    return forced(GpuWay::hook, EngineKind::docker, docker(version), named);
  };
  EXPECT_EQ(docker_hook("20.10.24"), "--gpus \"device=0,GPU-1\"");
  EXPECT_EQ(docker_hook("29.1.5"), "--gpus \"device=0,GPU-1\"");
  EXPECT_EQ(docker_hook("29.2.0"), "--gpus \"device=0,GPU-1\",driver=nvidia.runtime-hook");

  EXPECT_EQ(forced(GpuWay::cdi, EngineKind::podman, docker("5.4.2"), named),
            "--device nvidia.com/gpu=0 --device nvidia.com/gpu=GPU-1 --security-opt label=disable");
  EXPECT_EQ(forced(GpuWay::hook, EngineKind::podman, docker("5.4.2"), all),
            "none: podman takes CDI names and does not report whether it also has a hook");
}

TEST(GpuWays, WhereAnEngineHasNoChoice) {
  const auto kind = EngineKind::docker;
  EXPECT_EQ(only_way(kind, docker("20.10.24"), false, ""), GpuWay::hook);
  EXPECT_EQ(only_way(kind, docker("29.2.0"), true, ""), GpuWay::cdi);
  EXPECT_EQ(only_way(kind, docker("29.2.0"), false, ""), std::nullopt);
  EXPECT_EQ(only_way(kind, docker("28.2.0"), false, "nvidia"), std::nullopt);  // in which mode the runtime is, is not known
  EXPECT_EQ(only_way(kind, docker("master"), false, ""), std::nullopt);
}

/// Whole runs against a double of an engine.
class GpuWaysRun : public testing::Test {
 protected:
  explicit GpuWaysRun(const std::string& client = "docker") : engine_({client}) {
    engine_.all_well();
    engine_.answer("start", R"({"python": "3.11.2", "framework": "", "error": ""})");
    options_.image = "mine:1";
    options_.network = "none";
    options_.gpus = "all";
    options_.timeout = std::chrono::seconds(20);
    options_.bench = [](const std::string&) { return std::filesystem::path("/bench"); };
  }

  /// Of docker's programs: 1 is the run's own, and 5 and 6 try ways, behind Python, mount and files.
  void bench(int start, const std::string& visible_devices, const std::string& kernel = "pass") {
    auto text = test::replaced(test::bench_text_with_gpu(), R"("message": "1 GPU", "evidence": {})",
                               R"("message": "1 GPU", "evidence": {"visible_devices": )" + visible_devices + "}");
    if (kernel != "fail") {
      text = test::replaced(text, R"("status": "fail", "message": "no kernel image")",
                            R"("status": ")" + kernel + R"(", "message": "computed")");
      text = test::replaced(text, R"({"id": "cuda-209", "message": "x", "code": 209, "name": null, "call": null})", "null");
      text = test::replaced(
          text, R"("pass": 2, "warn": 0, "fail": 1, "skip": 0)",
          kernel == "pass" ? R"("pass": 3, "warn": 0, "fail": 0, "skip": 0)" : R"("pass": 2, "warn": 0, "fail": 0, "skip": 1)");
    }
    engine_.answer("start." + std::to_string(start), text);
  }
  void docker(const std::string& version, bool has_cdi) {
    auto info = EngineDouble::info(has_cdi ? R"(, "DiscoveredDevices": [{"Source": "cdi", "ID": "nvidia.com/gpu=all"}])" : "");
    engine_.answer("info", test::replaced(info, "29.1.0", version));
  }
  void run() {
    auto report = validate::run(options_, [](std::string_view) {});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(engine_.calls("create").size(), engine_.calls("rm").size());
    report_ = std::move(*report);
  }
  /// `status message [diagnosis]`
  std::string of(std::string_view check) const {
    for (const auto& result : report_.results) {
      if (result.check != check) continue;
      return std::string(name_of(result.status)) + " " + result.message +
             (result.diagnosis == nullptr ? "" : " [" + std::string(result.diagnosis->id) + "]");
    }
    return "no result";
  }

  EngineDouble engine_;
  Options options_;
  Report report_;
};

TEST_F(GpuWaysRun, OldDockerHasTheHookAlone) {
  docker("20.10.24+dfsg1", false);
  bench(1, "\"all\"");
  run();
  EXPECT_EQ(of("gpu-hook"), "pass this run got its GPUs this way");
  EXPECT_EQ(of("gpu-cdi"), "skip docker 20.10.24 does not support CDI (25.0 and later do)");
  EXPECT_EQ(engine_.calls("create").size(), 4U);
}

TEST_F(GpuWaysRun, TheHookServedAndCdiIsTriedByName) {
  docker("28.2.2", true);
  bench(1, "\"all\"");
  bench(5, "\"void\"");
  run();
  EXPECT_EQ(of("gpu-hook"), "pass this run got its GPUs this way");
  EXPECT_EQ(of("gpu-cdi"), "pass --device nvidia.com/gpu=all --security-opt label=disable: a kernel ran correctly");
  EXPECT_THAT(engine_.calls("create").at(4),
              testing::ContainsRegex(
                  "[|]--device[|]nvidia.com/gpu=all[|]--security-opt[|]label=disable[|]--network=none[|]--env=LD_PRELOAD=[|]"
                  "--env=LD_AUDIT=[|]--entrypoint[|]/envgen-bench[|]sha256:0123456789abcdef[|]--format=json[|]"
                  "--report-nonce=[0-9a-f]{32}[|]--timeout=7.5[|]--total-timeout=15[|]--tests=probe,kernel[|]"));
}

TEST_F(GpuWaysRun, CdiServedByItselfAndTheHookIsForced) {
  docker("29.2.0", true);
  bench(1, "\"void\"");
  bench(5, "\"all\"");
  run();
  EXPECT_EQ(of("gpu-cdi"), "pass this run got its GPUs this way");
  EXPECT_EQ(of("gpu-hook"), "pass --gpus all,driver=nvidia.runtime-hook: a kernel ran correctly");
  EXPECT_THAT(engine_.calls("create").at(4), HasSubstr("|--gpus|all,driver=nvidia.runtime-hook|--network=none|"));
}

TEST_F(GpuWaysRun, DockerFellBackSilentlyAndCdiIsBroken) {
  docker("29.2.0", true);
  bench(1, "\"all\"");
  const std::string words =
      "Error response from daemon: CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=all";
  engine_.answer("create.5", "", 125, words);
  run();
  EXPECT_EQ(of("gpu-hook"), "pass this run got its GPUs this way");
  EXPECT_EQ(of("gpu-cdi"),
            "warn --gpus all,driver=nvidia.cdi: docker create: exit status 125: " + words + " [engine-cdi-injection]");
  EXPECT_FALSE(report_.lacks_prerequisite());
}

TEST_F(GpuWaysRun, ABrokenWayFailsWhereItIsRequired) {
  docker("29.2.0", true);
  options_.require = {"gpu-cdi"};
  bench(1, "\"all\"");
  engine_.answer("create.5", "", 125, "unresolvable CDI devices nvidia.com/gpu=all");
  run();
  EXPECT_EQ(of("gpu-cdi"),
            "fail --gpus all,driver=nvidia.cdi: docker create: exit status 125: unresolvable CDI devices nvidia.com/gpu=all "
            "[cdi-unresolvable]");
}

TEST_F(GpuWaysRun, AnEngineThatHasNoHookWasAskedInVain) {
  docker("29.2.0", true);
  bench(1, "\"void\"");
  const std::string words =
      "Error response from daemon: could not select device driver \"nvidia.runtime-hook\" with capabilities: [[gpu]]";
  engine_.answer("create.5", "", 125, words);
  run();
  EXPECT_EQ(of("gpu-hook"), "skip --gpus all,driver=nvidia.runtime-hook: docker create: exit status 125: " + words);
  options_.require = {"gpu-hook"};
  std::filesystem::remove(engine_.folder() / "calls");
  run();
  EXPECT_EQ(
      of("gpu-hook"),
      "fail --require gpu-hook: not proven: --gpus all,driver=nvidia.runtime-hook: docker create: exit status 125: " + words);
}

TEST_F(GpuWaysRun, BothAreTriedWhereTheRunDoesNotTellItsOwn) {
  docker("29.2.0", true);
  bench(1, "null");
  bench(5, "null");
  bench(6, "null", "fail");
  run();
  EXPECT_EQ(of("gpu-cdi"), "pass --gpus all,driver=nvidia.cdi: a kernel ran correctly");
  EXPECT_EQ(of("gpu-hook"), "warn --gpus all,driver=nvidia.runtime-hook: no kernel ran correctly: no kernel image [cuda-209]");
}

TEST_F(GpuWaysRun, WhatAContainerTellsIsNotBelievedBlindly) {
  docker("29.2.0", true);
  const auto told = [&] {
    std::filesystem::remove(engine_.folder() / "calls");
    run();
    return of("gpu-hook");
  };
  const std::string flags = "--gpus all,driver=nvidia.runtime-hook: ";
  bench(1, "\"void\"");
  bench(5, "\"void\"");
  EXPECT_EQ(told(),
            "unknown " + flags + "the container got GPUs, but NVIDIA_VISIBLE_DEVICES is set as the other way (cdi) sets it");
  bench(5, "\"all\"", "skip");
  EXPECT_EQ(told(), "unknown " + flags + "the container got GPUs, but no kernel was run");
  engine_.answer("start.5", test::bench_text());
  EXPECT_EQ(told(), "warn " + flags + "CUDA sees no GPU: no GPU: no device node");
  engine_.answer("start.5", "", 1, "\x1b[2Jdied\n");
  EXPECT_EQ(told(), "warn " + flags + "envgen-bench's report (exit status 0): it is empty: \\x1b[2Jdied");
}

TEST_F(GpuWaysRun, AWayWithoutAGpuHasTheDiagnosisOfItsContainer) {
  docker("29.2.0", true);
  bench(1, "\"all\"");
  auto text = test::replaced(test::bench_text(), R"("status": "skip", "message": "no GPU: no device node")",
                             R"x("status": "fail", "message": "cuInit: unknown error (error 999)")x");
  text = test::replaced(text, R"("failure": null)", R"("failure": {"id": "cuda-999"})");
  text = test::replaced(text, R"("fail": 1, "skip": 1)", R"("fail": 2, "skip": 0)");
  engine_.answer("start.5", text);
  run();
  EXPECT_EQ(of("gpu-cdi"), "warn --gpus all,driver=nvidia.cdi: CUDA sees no GPU: cuInit: unknown error (error 999) [cuda-999]");
}

TEST_F(GpuWaysRun, AReportWithoutTheRowProbeShowsNoGpu) {
  docker("29.2.0", true);
  bench(1, "\"all\"");
  auto text =
      test::replaced(test::bench_text_with_gpu(), R"({"id": "probe", "device": null)", R"({"id": "runtime", "device": 0)");
  engine_.answer("start.5", text);
  run();
  EXPECT_EQ(of("gpu-cdi"), "warn --gpus all,driver=nvidia.cdi: CUDA sees no GPU");
}

TEST_F(GpuWaysRun, TheEvidenceIsTheFlagsAndTheEnginesWords) {
  docker("29.2.0", true);
  bench(1, "\"all\"");
  engine_.answer("create.5", "", 125, "one\ntwo\n");
  run();
  for (const auto& result : report_.results) {
    if (result.check == "gpu-cdi") {
      EXPECT_EQ(result.evidence.dump(), R"({"flags":["--gpus","all,driver=nvidia.cdi"],"words":["one","two"]})");
    }
  }
  EXPECT_THAT(report_.doubles, ElementsAre("libcuda"));
}

TEST_F(GpuWaysRun, TheWayThatWasAskedForFails) {
  docker("28.2.2", false);
  engine_.answer("start.1", test::bench_text());
  run();
  EXPECT_EQ(of("gpu-hook"), "fail this run requested its GPUs this way, but CUDA sees none (check gpu)");
  EXPECT_EQ(of("gpu-cdi"), "skip docker found no CDI device nvidia.com/gpu");
}

TEST_F(GpuWaysRun, NoWayIsTriedWithoutAGpuOrAReport) {
  docker("29.2.0", true);
  options_.gpus = "none";
  engine_.answer("start.1", test::bench_text());
  run();
  EXPECT_EQ(of("gpu-cdi"), "skip --gpus none was requested");
  options_.gpus = "all";
  options_.profile = Profile::build;
  std::filesystem::remove(engine_.folder() / "calls");
  run();
  EXPECT_EQ(of("gpu-hook"), "skip --profile build runs nothing that needs a GPU");
  options_.profile = Profile::smoke;
  engine_.answer("start.1", "");
  std::filesystem::remove(engine_.folder() / "calls");
  run();
  EXPECT_EQ(of("gpu-hook"), "skip envgen-bench did not report");
}

class GpuWaysOfPodman : public GpuWaysRun {
 protected:
  GpuWaysOfPodman() : GpuWaysRun("podman") {
    options_.engine = "podman";
    utsname names{};
    ::uname(&names);
    engine_.answer("info",
                   R"({"version": {"Version": "5.4.2"}, "host": {"arch": "amd64", "serviceIsRemote": false, "hostname": ")" +
                       std::string(names.nodename) + "\"}}");
  }
};

TEST_F(GpuWaysOfPodman, CdiIsItsOwn) {
  bench(1, "\"void\"");
  run();
  EXPECT_EQ(of("gpu-cdi"), "pass this run got its GPUs this way");
  EXPECT_EQ(of("gpu-hook"), "skip podman takes CDI names and does not report whether it also has a hook");
}

TEST_F(GpuWaysOfPodman, AnImageThatNamesItsDevicesDoesNotTellTheWay) {
  bench(1, "\"all\"");
  bench(5, "\"all\"");
  run();
  EXPECT_EQ(of("gpu-cdi"),
            "unknown --device nvidia.com/gpu=all --security-opt label=disable: the container got GPUs, but "
            "NVIDIA_VISIBLE_DEVICES is set as the other way (hook) sets it");
}

}  // namespace
}  // namespace envgen::validate
