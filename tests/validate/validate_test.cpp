// Whole runs against a double of docker: every way that they end, and no container left on any.
#include "validate/validate.hpp"
#include "validate/steps.hpp"

#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "bench_text.hpp"
#include "support/engine_double.hpp"
#include "support/heard_signals.hpp"
#include "support/literals.hpp"
#include "validate/canary.hpp"

namespace envgen::validate {
namespace {

using test::bench_text;
using test::EngineDouble;
using test::with_programs;
using testing::HasSubstr;

const std::string not_started =
    R"({"State": {"StartedAt": "0001-01-01T00:00:00Z", "ExitCode": 127, "OOMKilled": false, "Error": ""}})";

/// What envgen-bench tells of an image that has a library of the driver.
std::string files_row() {
  return R"({"id": "image-files", "status": "pass", "message": "1", "evidence": {"complete": true, "closed": 0, "left_out": 0,
    "files": [{"path": "/usr/lib/libcuda.so.550.54.14", "library": "libcuda", "version": "550.54.14", "target": null,
               "bytes": 9, "inode": 1}]}})";
}

class Run : public testing::Test {
 protected:
  Run() {
    docker_.all_well();
    docker_.answer("start.1", bench_text());
    docker_.answer("start.2", R"({"python": "3.11.2", "framework": "", "error": ""})");
    docker_.answer("start.3", "");
    options_.image = "mine:1";
    options_.network = "none";
    options_.timeout = std::chrono::seconds(20);
    options_.bench = [](const std::string&) { return std::filesystem::path("/bench"); };
  }

  Report run() {
    auto report = validate::run(options_, [](std::string_view) {});
    EXPECT_TRUE(report) << report.error().message;
    EXPECT_EQ(docker_.calls("create").size(), docker_.calls("rm").size());
    if (report) expect_listed(*report);
    return report ? std::move(*report) : Report{};
  }
  /// What a failure is recognised as is what `envgen checks` says that it may be.
  static void expect_listed(const Report& report) {
    for (const auto& result : report.results) {
      if (result.diagnosis == nullptr) continue;
      const auto* const check = find_check(result.check);
      ASSERT_NE(check, nullptr) << result.check;
      EXPECT_THAT(diagnosis::parts(check->diagnoses, ' '), testing::Contains(result.diagnosis->id)) << result.check;
    }
  }
  /// `status message` of a check.
  static std::string of(const Report& report, std::string_view check) {
    for (const auto& result : report.results) {
      if (result.check == check) return std::string(name_of(result.status)) + " " + result.message;
    }
    return "no result";
  }
  static std::string diagnosis_of(const Report& report, std::string_view check) {
    for (const auto& result : report.results) {
      if (result.check == check && result.diagnosis != nullptr) return std::string(result.diagnosis->id);
    }
    return {};
  }

  EngineDouble docker_;
  Options options_;
};

TEST_F(Run, EveryCheckHasAResult) {
  const auto report = run();
  for (const auto& check : checks()) EXPECT_TRUE(report.has(check.id)) << check.id;
  EXPECT_EQ(of(report, "engine"), "pass docker 29.1.0 responds");
  EXPECT_EQ(of(report, "start"), "pass started with --network=none");
  EXPECT_EQ(of(report, "bench"), "pass envgen-bench reports 3 tests");
  EXPECT_EQ(of(report, "gpu"), "skip no GPU was found here (to request GPUs anyway: --gpus all)");
  EXPECT_EQ(of(report, "user"), "pass runs as dev");
  EXPECT_EQ(of(report, "removed"), "pass all 4 containers were removed");
  EXPECT_THAT(of(report, "shm"), HasSubstr("warn /dev/shm has 64 MiB"));
}

TEST_F(Run, TheFlagsReachTheEngine) {
  options_.gpus = "device=0,1";
  options_.sharing = {"host", "1g"};
  options_.runtime = "nvidia";
  run();
  const auto call = docker_.calls("create").at(0);
  EXPECT_THAT(call, HasSubstr("|--gpus|\"device=0,1\"|--ipc=host|--shm-size=1g|--network=none|--runtime=nvidia|"));
  EXPECT_THAT(call,
              testing::ContainsRegex(
                  "[|]--entrypoint[|]/envgen-bench[|]sha256:0123456789abcdef[|]--format=json[|]--report-nonce=[0-9a-f]{32}[|]"
                  "--timeout=7.5[|]--total-timeout=15[|]--profile=smoke[|]--ipc-host-inode="));
}

TEST_F(Run, ATestDoubleOfTheEnginesMachineIsNamedWhereGpusAreAskedFor) {
  docker_.answer("info", EngineDouble::info(R"(, "Labels": ["envgen.doubles=hook"])"));
  EXPECT_THAT(run().doubles, testing::IsEmpty());
  options_.gpus = "all";
  EXPECT_THAT(run().doubles, testing::ElementsAre("hook"));
}

TEST_F(Run, VolumesAreMounted) {
  options_.volumes = {"/dev/shm:/dev/shm", "data:/data:ro"};
  run();
  EXPECT_THAT(docker_.calls("create").at(0), HasSubstr("|--volume=/dev/shm:/dev/shm|--volume=data:/data:ro|--network=none|"));
}

const std::string held =
    R"({"inode":4026531839,"key":1163289011,"name":"envgen-canary-0123abcd","nonce":"0123456789abcdeffedcba9876543210"})";

TEST_F(Run, AnEngineElsewhereIsComparedWithWhatAContainerHoldsThere) {
  ::setenv("DOCKER_HOST", "tcp://10.0.0.1:2376", 1);
  docker_.answer("logs", held + "\n");
  docker_.answer("start.1", "");
  docker_.answer("start.2",
                 test::replaced(bench_text(), R"("mode": "private")", R"("mode": "host", "sysv_rest": "fedcba9876543210")"));
  docker_.answer("start.3", R"({"python": "3.11.2", "framework": "", "error": ""})");
  options_.sharing.ipc = "host";
  const auto report = run();
  EXPECT_EQ(of(report, "ipc"), "pass host: its own");
  EXPECT_THAT(docker_.calls("create").at(0),
              HasSubstr("|--ipc=host|--network=none|--env=LD_PRELOAD=|--env=LD_AUDIT=|--env=LD_LIBRARY_PATH=|"
                        "--entrypoint|/envgen-bench|"));
  EXPECT_THAT(docker_.calls("create").at(0), HasSubstr("|--hold-ipc=80|"));
  EXPECT_THAT(docker_.calls("create").at(1),
              HasSubstr("|--ipc-host-inode=4026531839|--ipc-sysv-key=1163289011|--ipc-posix=envgen-canary-0123abcd|"
                        "--ipc-nonce=0123456789abcdef|"));
  EXPECT_EQ(docker_.calls("stop").size(), 1U);
}

TEST_F(Run, AnEngineElsewhereThatHoldsNothing) {
  ::setenv("DOCKER_HOST", "tcp://10.0.0.1:2376", 1);
  docker_.answer("logs", "{}\n");
  docker_.answer("start.2", bench_text());
  docker_.answer("start.3", R"({"python": "3.11.2", "framework": "", "error": ""})");
  EXPECT_EQ(of(run(), "ipc"), "unknown the engine is not on this machine, so the namespace cannot be identified");
}

TEST(RemoteCanary, WhatIsHeldIsBelievedOnlyInItsForm) {
  const auto refusal = [](const std::string& line) {
    const auto parsed = parse_held(line);
    return parsed ? "accepted" : parsed.error().message;
  };
  EXPECT_EQ(refusal(held), "accepted");
  EXPECT_EQ(refusal("envgen-bench: no segment"), "not JSON (line 1, column 1)");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"canary-0123abcd", "canary-../../x"},
                                                                                 {"4026531839", "-1"},
                                                                                 {"1163289011", "\"1\""},
                                                                                 {"nonce", "once"},
                                                                                 {"deff", "dexf"}}) {
    EXPECT_EQ(refusal(test::replaced(held, from, to)), "envgen-bench does not report what it holds") << to;
  }
}

TEST_F(Run, WhatTheBenchDoesIsHeardAndIsNoneOfItsWords) {
  docker_.answer("start.1", "", 1, "envgen-bench: running kernel\nenvgen-bench: running \x1b[2Jnccl\ndied\n");
  std::vector<std::string> heard;
  const auto report = validate::run(options_, [&](std::string_view doing) { heard.emplace_back(doing); });
  ASSERT_TRUE(report);
  EXPECT_THAT(heard,
              testing::IsSupersetOf({"envgen-bench in the container: kernel", "envgen-bench in the container: \\x1b[2Jnccl"}));
  EXPECT_THAT(of(*report, "bench"), testing::EndsWith("it is empty: died"));
}

TEST_F(Run, TheWayThatTheGpusCameIsTold) {
  const auto way = [&](const std::string& evidence) {
    const auto text = test::replaced(test::bench_text_with_gpu(), R"("message": "1 GPU", "evidence": {})",
                                     R"("message": "1 GPU", "evidence": )" + evidence);
    const EngineDouble again;
    again.all_well();
    again.answer("start", R"({"python": "3.11.2", "framework": "", "error": ""})");
    again.answer("start.1", text);
    options_.gpus = "all";
    const auto report = validate::run(options_, [](std::string_view) {});
    for (const auto& result : report->results) {
      if (result.check == "gpu") return result.evidence["injected_by"].dump();
    }
    return std::string("no result");
  };
  EXPECT_EQ(way(R"({"visible_devices": "void"})"), "\"cdi\"");
  EXPECT_EQ(way(R"({"visible_devices": "all"})"), "\"hook\"");
  EXPECT_EQ(way(R"({"visible_devices": null})"), "null");
}

TEST_F(Run, CdiNamesTheDevices) {
  options_.gpus = "all";
  options_.cdi = true;
  run();
  EXPECT_THAT(docker_.calls("create").at(0), HasSubstr("|--device|nvidia.com/gpu=all|"));
}

TEST_F(Run, NoEngineAnswers) {
  docker_.answer("info", "", 1,
                 "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?");
  const auto report = run();
  EXPECT_EQ(
      of(report, "engine"),
      "fail docker info: exit status 1: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon "
      "running? podman is not on PATH");
  EXPECT_EQ(diagnosis_of(report, "engine"), "docker-daemon-down");
  EXPECT_TRUE(report.lacks_prerequisite());
  EXPECT_EQ(of(report, "kernel"), "skip no engine responds");
}

TEST_F(Run, ThereIsNoImage) {
  docker_.answer("image-inspect", "", 1, "Error: No such image: mine:1");
  const auto report = run();
  EXPECT_EQ(of(report, "image"), "fail docker has no image 'mine:1': docker build --tag mine:1 . or docker pull mine:1");
  EXPECT_TRUE(report.lacks_prerequisite());
}

TEST_F(Run, TheEngineHasNoWayToTheGpu) {
  options_.gpus = "all";
  docker_.answer("start.1", "", 1,
                 "Error response from daemon: could not select device driver \"\" with capabilities: [[gpu]]\n");
  docker_.answer("inspect", not_started);
  const auto report = run();
  EXPECT_EQ(
      of(report, "start"),
      "fail docker start: exit status 1: Error response from daemon: could not select device driver \"\" with capabilities: "
      "[[gpu]]");
  EXPECT_EQ(diagnosis_of(report, "start"), "engine-no-gpu-driver");
  EXPECT_TRUE(report.lacks_prerequisite());
}

TEST_F(Run, TheImageAsksForANewerDriver) {
  options_.gpus = "all";
  docker_.answer("create", "", 125,
                 "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8, please update your driver");
  const auto report = run();
  EXPECT_EQ(diagnosis_of(report, "start"), "image-needs-newer-driver");
  EXPECT_TRUE(report.failed());
  EXPECT_FALSE(report.lacks_prerequisite());
}

TEST_F(Run, AGpuWasAskedForAndNoneSeen) {
  options_.gpus = "all";
  const auto report = run();
  EXPECT_EQ(of(report, "gpu"), "fail --gpus all was requested, but CUDA sees no GPU: no GPU: no device node");
}

TEST_F(Run, FewerGpusThanAsked) {
  options_.gpus = "2";
  docker_.answer("start.1", test::bench_text_with_gpu());
  const auto report = run();
  EXPECT_EQ(of(report, "gpu"), "fail --gpus 2 was requested, but CUDA sees 1");
  EXPECT_EQ(of(report, "kernel"), "fail no kernel image");
  EXPECT_EQ(diagnosis_of(report, "kernel"), "cuda-209");
  EXPECT_THAT(report.doubles, testing::ElementsAre("libcuda"));
}

TEST_F(Run, WhyAGpuCheckWasNotMade) {
  options_.gpus = "all";
  docker_.answer("start.1", test::bench_text_with_gpu());
  EXPECT_EQ(of(run(), "nccl"), "skip not part of --profile smoke (full runs it)");
  docker_.answer("start.1", "");
  options_.profile = Profile::full;
  std::filesystem::remove(docker_.folder() / "calls");
  EXPECT_EQ(of(run(), "nccl"), "skip envgen-bench did not report");
}

TEST_F(Run, TheImagesDemandIsAWarningWhereNoGpuIsAskedFor) {
  docker_.answer("image-inspect", EngineDouble::image(R"("Env": ["NVIDIA_REQUIRE_CUDA=cuda>=12.8"])"));
  options_.driver = HostDriver{*DriverVersion::parse("535.54.03"), Version(12, 2), false};
  options_.gpus = "none";
  EXPECT_THAT(of(run(), "image-gate"), HasSubstr("warn driver 535.54.03 does not pass"));
  options_.gpus = "auto";  // a driver is here, so its GPUs are asked for
  const auto report = run();
  EXPECT_THAT(of(report, "image-gate"), HasSubstr("fail driver 535.54.03 does not pass"));
  EXPECT_EQ(report.gpus, "all");
}

TEST_F(Run, ADriverThatPassesTheImagesDemand) {
  docker_.answer("image-inspect", EngineDouble::image(R"("Env": ["NVIDIA_REQUIRE_CUDA=cuda>=12.8"])"));
  options_.driver = HostDriver{*DriverVersion::parse("570.26"), Version(12, 8), false};
  EXPECT_EQ(of(run(), "image-gate"), "pass driver 570.26 passes NVIDIA_REQUIRE_CUDA='cuda>=12.8'");
}

TEST_F(Run, RootByWhateverNameIsAWarning) {
  for (const char* user : {"", "root", "0", "root:users", "0:1000"}) {
    docker_.answer("image-inspect", EngineDouble::image(std::string(R"("User": ")") + user + '"'));
    options_.profile = Profile::build;
    EXPECT_EQ(of(run(), "user"), "warn the container runs as root, and files it writes to a mount belong to root") << user;
  }
}

TEST_F(Run, ProfileBuildTriesNoGpu) {
  options_.profile = Profile::build;
  options_.gpus = "all";
  const auto report = run();
  EXPECT_EQ(of(report, "gpu"), "skip --profile build runs nothing that needs a GPU");
  EXPECT_THAT(docker_.calls("create").at(0), Not(HasSubstr("--gpus")));
  EXPECT_THAT(docker_.calls("create").at(0), HasSubstr("|--tests=probe,ipc,shm,image-files|"));
}

TEST_F(Run, TheReportOfTheBenchIsCut) {
  docker_.answer("start.1", bench_text().substr(0, 200));
  EXPECT_THAT(of(run(), "bench"), HasSubstr("fail envgen-bench's report"));
}

TEST_F(Run, TheBenchEndsOtherwiseThanItsReportSays) {
  docker_.answer("start.1", test::replaced(bench_text(), R"("gpus": [])", R"("exit_status": 3, "gpus": [])"));
  EXPECT_EQ(of(run(), "bench"), "fail envgen-bench's report (exit status 0): it reports exit status 3");
}

TEST_F(Run, TheBenchSaysNothing) {
  docker_.answer("start.1", "", 1, "/envgen-bench: error while loading shared libraries: libm.so.6\n");
  EXPECT_EQ(
      of(run(), "bench"),
      "fail envgen-bench's report (exit status 0): it is empty: /envgen-bench: error while loading shared libraries: libm.so.6");
}

TEST_F(Run, TheBenchRunsOutOfMemory) {
  docker_.answer("inspect.1",
                 R"({"State": {"StartedAt": "2026-11-22T10:00:00Z", "ExitCode": 137, "OOMKilled": true, "Error": ""}})");
  const auto report = run();
  EXPECT_EQ(of(report, "bench"), "fail the kernel killed it: the container ran out of memory");
  EXPECT_EQ(diagnosis_of(report, "bench"), "host-oom");
}

TEST_F(Run, ATestHangs) {
  docker_.answer("start.1", test::replaced(bench_text(), R"("interrupted": false)",
                                           R"("interrupted": false, "out_of_time": true, "seconds": 285.2)"));
  const auto report = run();
  EXPECT_EQ(of(report, "bench"), "fail envgen-bench ran out of time after 285 s: not every test ran (--timeout gives it more)");
  EXPECT_EQ(of(report, "ipc"), "pass private: its own");
}

TEST(BenchTime, ItReportsBeforeTheContainersTimeIsOver) {
  using std::chrono::seconds;
  const auto flags = [](int whole, Profile profile) { return bench_time(seconds(whole), seconds(whole), profile); };
  using testing::ElementsAre;
  EXPECT_THAT(flags(300, Profile::smoke), ElementsAre("--timeout=60", "--total-timeout=285"));
  EXPECT_THAT(flags(3600, Profile::full), ElementsAre("--timeout=120", "--total-timeout=3585"));
  EXPECT_THAT(flags(10, Profile::build), ElementsAre("--timeout=3.75", "--total-timeout=7.5"));
  EXPECT_THAT(flags(1, Profile::smoke), ElementsAre("--timeout=0.375", "--total-timeout=0.75"));
  EXPECT_THAT(flags(86400, Profile::smoke), ElementsAre("--timeout=60", "--total-timeout=86385"));
  const auto late = [](int whole, int left) { return bench_time(seconds(whole), seconds(left), Profile::smoke); };
  EXPECT_THAT(late(300, 293), ElementsAre("--timeout=60", "--total-timeout=285"));  // the engine took its time
  EXPECT_THAT(late(300, 200), ElementsAre("--timeout=60", "--total-timeout=192.5"));
  EXPECT_THAT(late(300, 4), ElementsAre("--timeout=1.5", "--total-timeout=3"));
}

TEST_F(Run, OneTimeForAllContainers) {
  options_.timeout = std::chrono::seconds(6);
  docker_.delay("start.1", "20");
  const auto start = std::chrono::steady_clock::now();
  const auto report = run();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
  EXPECT_THAT(of(report, "bench"), testing::MatchesRegex("fail timed out after [1-6] s; it was killed"));
  const std::string over = "it was not started because the run had timed out (--timeout gives more)";
  EXPECT_EQ(of(report, "python"), "unknown " + over);
  EXPECT_EQ(of(report, "mount-owner"), "unknown nothing was written to a mount: " + over);
  EXPECT_EQ(of(report, "driver-files"), "unknown the image's files: " + over);
  EXPECT_EQ(docker_.calls("create").size(), 1U);
}

TEST_F(Run, TheContainerDoesNotEnd) {
  options_.timeout = std::chrono::seconds(6);
  docker_.delay("start.1", "20");
  EXPECT_THAT(of(run(), "bench"), testing::MatchesRegex("fail timed out after [1-6] s; it was killed"));
}

TEST_F(Run, TheImageCannotRunTheBench) {
  docker_.answer("start.1", "", 127, "exec /envgen-bench: no such file or directory\n");
  docker_.answer("inspect.1", not_started);
  const auto report = run();
  EXPECT_EQ(
      of(report, "bench"),
      "fail envgen-bench does not run in the image: it needs a glibc for its architecture: exec /envgen-bench: no such file or "
      "directory");
  EXPECT_THAT(of(report, "start"), HasSubstr("unknown "));
}

TEST_F(Run, TheImageCannotRunTheBenchAndTheRuntimeCallsItStarted) {
  docker_.answer("start.1", "", 1, "exec /envgen-bench: no such file or directory\n");
  EXPECT_THAT(of(run(), "bench"), HasSubstr("fail envgen-bench does not run in the image"));
}

TEST_F(Run, TheImageCannotRunTheBenchAsCrunSaysIt) {
  docker_.answer(
      "start.1", "", 1,
      R"({"msg":"exec container process (missing dynamic library?) `/envgen-bench`: No such file or directory","level":"error"})"
      "\n");
  EXPECT_THAT(of(run(), "bench"), HasSubstr("fail envgen-bench does not run in the image"));
}

TEST_F(Run, AHookThatMissesAFileIsNoMissingProgram) {
  docker_.answer(
      "start.1", "", 1,
      "Error response from daemon: failed to create shim task: OCI runtime create failed: error running hook #0: exit status "
      "1, stderr: nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1: cannot open shared "
      "object file: no such file or directory: unknown\n");
  docker_.answer("inspect", not_started);
  options_.gpus = "all";
  const auto report = run();
  EXPECT_THAT(of(report, "start"),
              HasSubstr("fail docker start: exit status 1: Error response from daemon: failed to create shim"));
  EXPECT_EQ(diagnosis_of(report, "start"), "host-no-driver");
  EXPECT_TRUE(report.lacks_prerequisite());
}

TEST_F(Run, AMountThatMissesAFileIsNoMissingProgram) {
  docker_.answer(
      "start.1", "", 1,
      "Error response from daemon: failed to create task for container: error mounting \"/usr/lib/libEGL_nvidia.so.535.54.03\" "
      "to rootfs: cannot stat /usr/lib/libEGL_nvidia.so.535.54.03: no such file or directory: unknown\n");
  docker_.answer("inspect", not_started);
  EXPECT_THAT(of(run(), "start"),
              HasSubstr("fail docker start: exit status 1: Error response from daemon: failed to create task"));
}

TEST_F(Run, OneContainerServesAllPrograms) {
  const auto text =
      with_programs(R"({"program": "/usr/bin/python", "end": "exited", "exit_status": 0, "signal": 0, "out_cut": false,
                       "out": "{\"python\": \"3.11.2\", \"framework\": \"\", \"error\": \"\"}", "err": ""})",
                    R"({"path": "/envgen-mount/written", "error": "Permission denied"})");
  docker_.answer("start.1", test::replaced(test::replaced(text, "\"tests\": [", "\"tests\": [" + files_row() + ","),
                                           "\"pass\": 1", "\"pass\": 2"));
  const auto report = run();
  EXPECT_EQ(of(report, "removed"), "pass the container was removed");
  EXPECT_EQ(of(report, "python"), "skip Python 3.11.2; nothing to compare with (--lock FILE, --torch VERSION ...)");
  EXPECT_EQ(of(report, "driver-files"), "fail the image's layers contain driver libraries: /usr/lib/libcuda.so.550.54.14");
  EXPECT_EQ(of(report, "mount-owner"), "fail the user cannot write to a mounted folder: Permission denied");
}

TEST_F(Run, AFolderThatTheEngineDoesNotKnowIsNoFailureOfTheFlags) {
  docker_.answer("create.1", "", 125,
                 "Error response from daemon: invalid mount config for type \"bind\": bind source path does not exist: "
                 "/tmp/envgen-mount-Xa81bc");
  docker_.answer("create.4", "", 125, "Error response from daemon: the same");
  const auto report = run();
  EXPECT_EQ(of(report, "start"), "pass started with --network=none");
  EXPECT_EQ(of(report, "mount-owner"),
            "unknown nothing was written to a mount: docker create: exit status 125: Error response from daemon: the same");
  EXPECT_THAT(docker_.calls("create").at(0), HasSubstr("|--mount=type=bind,"));
  EXPECT_THAT(docker_.calls("create").at(1), testing::Not(HasSubstr("--mount=")));
}

TEST_F(Run, NoFolderCanBeMadeToMount) {
  ::setenv("TMPDIR", "/nowhere", 1);
  const auto report = run();
  ::unsetenv("TMPDIR");
  EXPECT_EQ(of(report, "start"), "pass started with --network=none");
  EXPECT_EQ(of(report, "mount-owner"), "unknown /nowhere: cannot create a temporary folder");
}

TEST(MountFlag, QuotesTheFolder) {
  const auto place = *util::TemporaryFolder::make("a,b\"c");
  const auto folder = place.path().string();
  const auto flag = mount_flag(place);
  EXPECT_EQ(flag, "--mount=type=bind,\"source=" + test::replaced(folder, "\"", "\"\"") + "\",target=/envgen-mount");
}

TEST_F(Run, AnImageWithoutPythonInOneContainer) {
  docker_.answer("start.1", with_programs(R"({"program": null, "end": "not-there"})", "null"));
  const auto report = run();
  EXPECT_EQ(of(report, "python"), "skip the image has no Python");
  EXPECT_EQ(of(report, "removed"), "pass all 3 containers were removed");
}

TEST_F(Run, PythonFailsInTheContainerOfTheBench) {
  docker_.answer("start.1",
                 with_programs(R"({"program": "/usr/bin/python", "end": "killed", "exit_status": 0, "signal": 9, "out": "",
                                             "out_cut": false, "err": "Bus error"})",
                               "null"));
  EXPECT_EQ(of(run(), "python"), "fail it was killed by signal 9: Bus error");
}

TEST_F(Run, AnImageWithoutPython) {
  const std::string absent = "exec: \"python\": executable file not found in $PATH: unknown\n";
  docker_.answer("start.2", "", 127, absent);
  docker_.answer("start.3", "", 127, absent);
  docker_.answer("start.4", "");
  docker_.answer("inspect.2", not_started);
  docker_.answer("inspect.3", not_started);
  const auto report = run();
  EXPECT_EQ(of(report, "python"), "skip the image has no Python");
}

TEST_F(Run, TheContainersStay) {
  docker_.answer("rm", "", 1, "Error response from daemon: removal is stuck");
  const auto report = validate::run(options_, [](std::string_view) {});
  ASSERT_TRUE(report);
  EXPECT_THAT(
      of(*report, "removed"),
      AllOf(HasSubstr("fail the engine did not remove envgen-validate-"),
            HasSubstr(
                "(docker rm: exit status 1: Error response from daemon: removal is stuck): docker rm --force envgen-validate-")));
}

TEST_F(Run, ARemovalThatFailsOnceIsTriedAgain) {
  docker_.answer("rm.1", "", 1, "Error response from daemon: busy");
  const auto report = validate::run(options_, [](std::string_view) {});
  ASSERT_TRUE(report);
  EXPECT_EQ(of(*report, "removed"), "pass all 4 containers were removed");
}

TEST_F(Run, TheEngineDoesNotTellHowItEnded) {
  docker_.answer("inspect.1", "", 1, "Error response from daemon: the database is locked");
  EXPECT_EQ(
      of(run(), "bench"),
      "fail the engine does not report how the container ended: docker inspect: exit status 1: Error response from daemon: the "
      "database is locked");
}

TEST_F(Run, TheLabelIsThatOfTheLock) {
  Environment environment;
  environment.torch = Environment::FrameworkBuild();
  environment.torch->version = "2.6.0";
  environment.python = "3.11"_python;
  options_.lock = LockedTo{"envgen.lock", "sha256:1", environment, true};
  EXPECT_EQ(of(run(), "lock-label"), "fail the image has no label envgen.lock: it was not built from envgen's Dockerfile");
  docker_.answer("image-inspect", EngineDouble::image(R"("Labels": {"envgen.lock": "sha256:2"})"));
  EXPECT_EQ(of(run(), "lock-label"), "fail built from a lock other than envgen.lock: rebuild the image");
  docker_.answer("image-inspect", EngineDouble::image(R"("Labels": {"envgen.lock": "sha256:1"})"));
  EXPECT_EQ(of(run(), "lock-label"), "pass built from envgen.lock");
  docker_.answer("image-inspect", EngineDouble::image());
  options_.lock->named = false;  // a lock that only lies beside says nothing of an image that names none
  EXPECT_EQ(of(run(), "lock-label"), "skip there is no lock to compare with (--lock FILE names one)");
}

TEST_F(Run, ALockThatTheImageNamesAndNobodyHas) {
  docker_.answer("image-inspect", EngineDouble::image(R"("Labels": {"envgen.lock": "sha256:2"})"));
  EXPECT_EQ(of(run(), "lock-label"), "warn the image names a lock, but there is none to compare with (--lock FILE names one)");
  options_.asked.emplace().framework_value = 0;
  EXPECT_EQ(of(run(), "lock-label"), "skip versions were requested instead of a lock");
}

TEST_F(Run, WhetherItCouldWriteIsUnknownWithoutAReport) {
  docker_.answer("start.3", "no report");
  EXPECT_EQ(of(run(), "mount-owner"), "unknown nothing was written to a mount: envgen-bench did not report");
}

TEST_F(Run, TheImagesLdLibraryPathCounts) {
  const auto text = with_programs("null", "null");
  const auto row = test::replaced(files_row(), "/usr/lib/libcuda.so.550.54.14", "/usr/local/cuda/lib64/stubs/libcuda.so.1");
  docker_.answer("start.1",
                 test::replaced(test::replaced(text, "\"tests\": [", "\"tests\": [" + row + ","), "\"pass\": 1", "\"pass\": 2"));
  docker_.answer("image-inspect", EngineDouble::image(R"("Env": ["LD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs"])"));
  EXPECT_EQ(of(run(), "driver-files"),
            "warn a stub is found instead of the driver's library: /usr/local/cuda/lib64/stubs/libcuda.so.1");
}

TEST_F(Run, AnImageForAnotherProcessor) {
  EXPECT_EQ(of(run(), "image"), "pass sha256:0123456789ab for amd64, 1 layers, 5 MB");
  docker_.answer("image-inspect", test::replaced(EngineDouble::image(), "amd64", "arm64"));
  EXPECT_EQ(
      of(run(), "image"),
      "warn sha256:0123456789ab for arm64, 1 layers, 5 MB; the engine's machine is x86_64 and can run it only by emulation");
}

TEST_F(Run, VersionsThatNoPythonTells) {
  docker_.answer("start.1", with_programs(R"({"program": null, "end": "not-there"})", "null"));
  resolver::Query asked;
  options_.asked = asked;
  EXPECT_EQ(of(run(), "python"), "skip the image has no Python");
  docker_.answer("start.4", with_programs(R"({"program": null, "end": "not-there"})", "null"));
  asked.framework_value = 0;
  options_.asked = asked;
  EXPECT_EQ(of(run(), "python"), "fail versions were requested, but there is no Python on PATH to check");
}

TEST_F(Run, WhatIsNotToldOfTheFilesIsUnknown) {
  docker_.answer("start.4", "", 1, "died");
  EXPECT_EQ(of(run(), "driver-files"), "unknown the image's files: envgen-bench does not report them: died");
}

TEST_F(Run, TheFilesOfTheImageAreLookedAtWithoutTheDriversWhereGpusAreAskedFor) {
  options_.gpus = "all";
  docker_.answer("start.1", test::bench_text_with_gpu());
  docker_.answer("start.4", R"({"schema_version": 1, "program": {"name": "envgen-bench"}, "interrupted": false,
    "gpu": {"present": false, "absent": true}, "gpus": [], "summary": {"pass": 1, "warn": 0, "fail": 0, "skip": 0, "unknown": 0},
    "tests": [)" + files_row() + "]}");
  const auto report = run();
  EXPECT_EQ(of(report, "driver-files"), "fail the image's layers contain driver libraries: /usr/lib/libcuda.so.550.54.14");
  EXPECT_EQ(diagnosis_of(report, "driver-files"), "driver-in-image");
  EXPECT_EQ(of(report, "second-libraries"), "pass neither the CUDA Runtime nor cuDNN is present");
  EXPECT_THAT(docker_.calls("create").at(0), Not(HasSubstr("--files-of")));
  EXPECT_THAT(docker_.calls("create").at(3),
              AllOf(HasSubstr("|--network=none|--env=NVIDIA_VISIBLE_DEVICES=void|--env=LD_PRELOAD=|--env=LD_AUDIT=|"
                              "--env=LD_LIBRARY_PATH=|--entrypoint|"),
                    HasSubstr("|--timeout=7.5|--total-timeout=15|--tests=image-files|--files-of=/|")));
}

TEST_F(Run, WhatTheLinkerObeysIsKeptFromEnvgenBenchAndGivenToPython) {
  docker_.answer("image-inspect",
                 EngineDouble::image(R"("Env": ["LD_PRELOAD=/x.so", "LD_LIBRARY_PATH=/a:/b", "LD_AUDIT=", "PATH=/bin"])"));
  run();
  const auto first = docker_.calls("create").at(0);
  EXPECT_THAT(first,
              AllOf(HasSubstr("|--env=LD_PRELOAD=|--env=LD_AUDIT=|--env=LD_LIBRARY_PATH=|"), HasSubstr("|--library-path=/a:/b|"),
                    HasSubstr("|--then-environment=LD_LIBRARY_PATH=/a:/b|--then-environment=LD_PRELOAD=/x.so|"),
                    Not(HasSubstr("LD_AUDIT=/"))));
  EXPECT_THAT(docker_.calls("create").at(1), AllOf(HasSubstr("|python|"), Not(HasSubstr("LD_PRELOAD"))));
}

TEST_F(Run, LibrariesThatAreTestedAreFoundByLdLibraryPath) {
  docker_.answer("image-inspect", EngineDouble::image(R"("Env": ["LD_LIBRARY_PATH=/a"])"));
  options_.gpus = "all";
  run();
  EXPECT_THAT(docker_.calls("create").at(0),
              AllOf(HasSubstr("|--env=LD_PRELOAD=|--env=LD_AUDIT=|--entrypoint|"), Not(HasSubstr("--library-path"))));
}

TEST_F(Run, AReportIsOfThisRun) {
  docker_.answer("start.1", test::replaced(bench_text(), "{\"schema_version\"", "{\"nonce\": \"0\", \"schema_version\""));
  EXPECT_EQ(of(run(), "bench"),
            "fail envgen-bench's report (exit status 0): its nonce is not the one of this run: it was written for "
            "another run");
}

TEST_F(Run, AnOlderEnvgenBenchIsTold) {
  docker_.answer("start.1", "", 2, "envgen-bench: The following argument was not expected: --report-nonce=0\n");
  docker_.answer("inspect", R"({"State": {"StartedAt": "2026-11-22T10:00:00Z", "ExitCode": 2, "OOMKilled": false, "Error": ""},
                                "HostConfig": {"IpcMode": "private"}})");
  EXPECT_THAT(of(run(), "bench"), HasSubstr("this envgen-bench is older than this envgen, and its report cannot be tied to "
                                            "this run: use the one from this envgen"));
}

TEST_F(Run, APythonThatPrintsWhatItWasToldToPrintIsNone) {
  docker_.answer("start.2", R"({"nonce": "0", "python": "3.11.2", "framework": "torch", "version": "2.6.0", "cuda": "12.4"})");
  EXPECT_EQ(of(run(), "python"),
            "fail output of the image's Python (exit status 0): it does not return the nonce it was given: another "
            "program printed this, not envgen's script");
}

TEST_F(Run, AScriptInPlaceOfPythonIsContradictedByTheFiles) {
  Environment lock;
  lock.python = "3.11"_python;
  lock.torch = Environment::FrameworkBuild();
  lock.torch->version = "2.6.0";
  lock.torch->cuda = "12.4"_version;
  options_.lock = LockedTo{"envgen.lock", "sha256:1", lock, true};
  auto text = test::replaced(bench_text(), "\"tests\": [", "\"tests\": [" + files_row() + ",");
  docker_.answer("start.1", test::replaced(text, "\"pass\": 1", "\"pass\": 2"));
  docker_.answer(
      "start.2",
      R"({"python": "3.11.2", "framework": "torch", "version": "2.6.0", "cuda": "12.4", "error": "", "library": "/usr/lib/python3.11/os.py", "file": "/usr/lib/torch/__init__.py"})");
  const auto report = run();
  EXPECT_THAT(
      of(report, "self-report"),
      HasSubstr(
          "fail what Python reports does not match the files: the library of Python 3.11.2 should be "
          "/usr/lib/python3.11/os.py, which does not exist; it reports torch 2.6.0, but there is no /usr/lib/torch/version.py"));
  EXPECT_EQ(diagnosis_of(report, "self-report"), "python-contradicted");
  EXPECT_EQ(of(report, "framework"), "unknown installed: torch 2.6.0, as locked; the files contradict this (self-report)");
  EXPECT_EQ(of(report, "framework-cuda"), "unknown torch is built for 12.4, as locked; the files contradict this (self-report)");
}

TEST_F(Run, AnInterruptLeavesNothing) {
  const test::HeardSignals heard;
  docker_.delay("start.1", "20");
  std::thread sender([] {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    ::kill(::getpid(), SIGTERM);
  });
  const auto report = validate::run(options_, [](std::string_view) {});
  sender.join();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::interrupted);
  EXPECT_EQ(docker_.calls("create").size(), 1U);
  EXPECT_EQ(docker_.calls("rm").size(), 1U);
}

TEST_F(Run, FlagsThatAreNone) {
  const auto refusal = [&](auto change) {
    auto options = options_;
    change(options);
    const auto report = validate::run(options, [](std::string_view) {});
    return report ? "accepted" : report.error().origin + ": " + report.error().message;
  };
  EXPECT_EQ(refusal([](Options& options) { options.gpus = "some"; }),
            "--container-gpus: 'some' is not a choice of this machine's GPUs");
  EXPECT_EQ(refusal([](Options& options) { options.sharing.ipc = "mine"; }), "--ipc: 'mine' is not an IPC mode");
  EXPECT_EQ(refusal([](Options& options) { options.sharing.shm_size = "big"; }), "--shm-size: 'big' is not a size");
  EXPECT_EQ(refusal([](Options& options) { options.gpus = "2", options.cdi = true; }),
            "--container-gpus: CDI (--cdi, podman) takes device names, not a number of GPUs");
  EXPECT_TRUE(docker_.calls().empty());
}

}  // namespace
}  // namespace envgen::validate
