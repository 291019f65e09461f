// `envgen validate`: exit statuses, where envgen-bench is looked for, and where the report goes.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/utsname.h>

#include "run_tool.hpp"
#include "support/engine_double.hpp"
#include "validate/checks.hpp"

namespace envgen {
namespace {

namespace fs = std::filesystem;
using test::EngineDouble;
using test::run_tool;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

/// `STATUS MESSAGE` of one check.
std::string row(const nlohmann::json& report, const std::string& check) {
  for (const auto& one : report.at("checks")) {
    if (one.at("id") == check) return one.at("status").get<std::string>() + " " + one.at("message").get<std::string>();
  }
  return {};
}

class Validate : public testing::Test {
 protected:
  Validate() {
    docker_.all_well();
    docker_.answer("start", R"({"python": "3.11.2", "framework": "", "error": ""})");
    docker_.answer("start.1", R"({"schema_version": 1, "program": {"name": "envgen-bench"}, "interrupted": false,
      "touched": {"path": "/envgen-mount/written", "error": "Permission denied"},
      "gpu": {"present": false, "absent": true}, "gpus": [], "summary": {"pass": 0, "warn": 0, "fail": 0, "skip": 1, "unknown": 0},
      "tests": [{"id": "probe", "status": "skip", "message": "no GPU"}]})");
    std::ofstream(bench()) << "a double";
    fs::permissions(bench(), fs::perms::all);
  }
  std::string bench() const { return (docker_.folder() / "envgen-bench").string(); }
  EngineDouble docker_;
};

TEST_F(Validate, WhatFailedDecidesTheExitStatus) {
  // The double writes nothing into the mount.
  const auto failed = run_tool({"validate", "mine", "--bench", bench()});
  EXPECT_EQ(failed.exit, 5);
  EXPECT_THAT(failed.out, StartsWith("mine: "));
  EXPECT_THAT(failed.out, HasSubstr("\nfail    mount-owner      the user cannot write to a mounted folder: Permission denied\n"));
  docker_.answer("image-inspect", "", 1, "No such image: mine");
  EXPECT_EQ(run_tool({"validate", "mine", "--bench", bench()}).exit, 6);
}

TEST_F(Validate, ContainersHaveNoNetworkButTheOneNamed) {
  for (const auto* network : {"none", "bridge", "host", "container:db"}) {
    std::filesystem::remove(docker_.folder() / "calls");
    std::vector<std::string> words{"validate", "mine", "--bench", bench()};
    if (std::string(network) != "none") words.insert(words.end(), {"--network", network});
    run_tool(words);
    const auto created = docker_.calls("create");
    ASSERT_FALSE(created.empty()) << network;
    EXPECT_THAT(created[0], HasSubstr("|--network=" + std::string(network) + "|"));
    // What reads the image's files or writes into a mount needs none.
    for (const auto& call : created)
      EXPECT_THAT(call, AnyOf(HasSubstr("|--network=" + std::string(network) + "|"), HasSubstr("|--network=none|")));
  }
}

TEST_F(Validate, ProfileBuildAndGpus) {
  const auto outcome = run_tool({"validate", "mine", "--bench", bench(), "--profile", "build", "--gpus", "all"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err,
            "envgen: --container-gpus: --profile build runs nothing that needs a GPU\n  use --profile smoke, or omit "
            "--container-gpus\n");
}

TEST_F(Validate, AFullRunHasAnHourAndASmokeFiveMinutes) {
  const auto given = [&](const std::vector<std::string>& more) {
    fs::remove(docker_.folder() / "calls");
    std::vector<std::string> words{"validate", "mine", "--bench", bench()};
    words.insert(words.end(), more.begin(), more.end());
    run_tool(words);
    const std::string flag = "|--total-timeout=";
    for (const auto& call : docker_.calls("create")) {
      if (const auto at = call.find(flag); at != std::string::npos) return std::stod(call.substr(at + flag.size()));
    }
    return 0.0;
  };
  const auto almost = [](double seconds) { return testing::AllOf(testing::Gt(0.8 * seconds), testing::Le(seconds)); };
  EXPECT_THAT(given({}), almost(300));
  EXPECT_THAT(given({"--profile", "full"}), almost(3600));
  EXPECT_THAT(given({"--profile", "full", "--timeout", "200"}), almost(200));
}

TEST_F(Validate, VolumesThatAreNone) {
  for (const auto* wrong : {"/data", "/data:", "/a:relative", ":/data", "/a:/b:ro:x"}) {
    const auto outcome = run_tool({"validate", "mine", "--bench", bench(), "--volume", wrong});
    EXPECT_EQ(outcome.exit, 2) << wrong;
    EXPECT_THAT(outcome.err, HasSubstr("is not SOURCE:TARGET[:ro]")) << wrong;
  }
}

TEST_F(Validate, JsonOfTheContract) {
  const auto report = run_tool({"validate", "mine", "--bench", bench(), "--json"}).json();
  EXPECT_EQ(report.at("schema_version"), 1);
  EXPECT_EQ(report.at("engine"), "docker 29.1.0");
  EXPECT_EQ(report.at("lock"), nullptr);
  EXPECT_EQ(report.at("ok"), false);
  EXPECT_EQ(report.at("checks").size(), validate::checks().size());
  EXPECT_EQ(report.at("not_made").size(), report.at("summary").at("skip"));
}

TEST_F(Validate, TheReportGoesIntoAFile) {
  const auto file = (docker_.folder() / "report.json").string();
  const auto outcome = run_tool({"validate", "mine", "--bench", bench(), "--format", "json", "-o", file});
  EXPECT_EQ(outcome.exit, 5);
  EXPECT_THAT(outcome.out, StartsWith("wrote " + file + ": "));
  std::ifstream written(file);
  EXPECT_EQ(nlohmann::json::parse(written).at("image"), "mine");
}

std::string how_to_get_it() {
  utsname names{};
  ::uname(&names);
  const std::string machine = names.machine;
  return "  envgen's package for " + machine + " contains it: libexec/envgen/" + machine +
         "/envgen-bench\n  in a checkout of envgen, scripts/bench.sh builds it\n";
}

TEST_F(Validate, TheBenchIsLookedFor) {
  ::setenv("ENVGEN_BENCH", "/nowhere/envgen-bench", 1);
  const auto named = run_tool({"validate", "mine"});
  ::unsetenv("ENVGEN_BENCH");
  EXPECT_EQ(named.exit, 6);
  EXPECT_EQ(named.err, "envgen: ENVGEN_BENCH: the file '/nowhere/envgen-bench' does not exist\n" + how_to_get_it());
  fs::permissions(bench(), fs::perms::owner_all);
  const auto mine = run_tool({"validate", "mine", "--bench", bench()});
  EXPECT_EQ(mine.exit, 6);
  EXPECT_EQ(mine.err, "envgen: --bench: '" + bench() + "' is not executable by all users\n  chmod 755 " + bench() + "\n");
}

TEST_F(Validate, NoBenchForTheProcessorIsAFailureOfTheReport) {
  docker_.answer("image-inspect", R"({"Id": "sha256:1", "Architecture": "riscv64", "Config": {}})");
  docker_.answer("start.1", R"({"python": "3.11.2", "framework": "", "error": ""})");
  const auto outcome = run_tool({"validate", "mine", "--format", "json"});
  EXPECT_EQ(outcome.exit, 6);
  const auto report = outcome.json();
  EXPECT_EQ(row(report, "bench"),
            "fail envgen-bench for 'riscv64' was not found (envgen's package for riscv64 contains it: "
            "libexec/envgen/riscv64/envgen-bench; in a checkout of envgen, scripts/bench.sh builds it; set ENVGEN_BENCH "
            "to its path; or give it with --bench FILE)");
  EXPECT_EQ(row(report, "user"), "warn the container runs as root, and files it writes to a mount belong to root");
  EXPECT_THAT(row(report, "python"), StartsWith("skip Python 3.11.2; "));
  EXPECT_EQ(row(report, "removed"), "pass the container was removed");
  EXPECT_THAT(report.at("not_made").dump(), HasSubstr("envgen-bench did not report"));
}

TEST_F(Validate, TheBenchOfThisMachineIsNotThere) {
  ::setenv("ENVGEN_BENCH", "/nowhere/envgen-bench", 1);
  const auto outcome = run_tool({"bench", "--list"});
  ::unsetenv("ENVGEN_BENCH");
  EXPECT_EQ(outcome.exit, 6);
  EXPECT_EQ(outcome.err, "envgen: ENVGEN_BENCH: the file '/nowhere/envgen-bench' does not exist\n" + how_to_get_it());
}

TEST_F(Validate, ALockThatIsNotThere) {
  const auto outcome = run_tool({"validate", "mine", "--lock", "/nowhere/envgen.lock"});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere/envgen.lock"));
}

TEST_F(Validate, WhatDoesNotGoTogether) {
  const auto refusal = [](std::vector<std::string> words) {
    words.insert(words.begin(), "validate");
    const auto outcome = run_tool(words);
    EXPECT_EQ(outcome.exit, 2);
    return outcome.err;
  };
  EXPECT_EQ(refusal({}), "envgen: an image, or --here, is required\n  see 'envgen validate --help'\n");
  EXPECT_EQ(refusal({"mine", "--here"}), "envgen: --here: an image and --here cannot be combined\n");
  for (const auto* option : {"--engine=docker", "--cdi", "--ipc=host", "--shm-size=1g", "--network=host", "--runtime=nvidia"}) {
    const std::string word = option;
    EXPECT_EQ(refusal({"--here", word}),
              "envgen: " + word.substr(0, word.find('=')) + ": it applies to the container of an image; --here creates none\n");
  }
  EXPECT_EQ(refusal({"mine", "--python-executable", "python3"}),
            "envgen: --python-executable: it works only with --here: an image uses the Python on its PATH\n");
  EXPECT_EQ(refusal({"mine", "--lock", "envgen.lock", "--torch", "2.6"}),
            "envgen: --torch: the image is compared with a lock or with versions, not both\n  omit --lock\n");
  EXPECT_THAT(refusal({"mine", "--gpu", "RTX 9999"}), HasSubstr("envgen: --gpu: unknown GPU 'RTX 9999'\n  'envgen list "));
  EXPECT_THAT(refusal({"mine", "--torch", "x"}), HasSubstr("envgen: --torch: 'x' is "));
}

TEST_F(Validate, WithoutALockVersionsAreCompared) {
  docker_.answer("start.2", R"({"python": "3.11.2", "framework": "torch", "error": "", "version": "2.3.1", "cuda": "12.1", )"
                            R"("archs": ["sm_86"]})");
  const auto report =
      run_tool({"validate", "mine", "--bench", bench(), "--format", "json", "--torch", "2.3", "--cuda", "12.4", "--gpu", "5090"})
          .json();
  const auto of = [&](const std::string& check) { return row(report, check); };
  EXPECT_EQ(of("framework"), "pass installed: torch 2.3.1, as requested");
  EXPECT_EQ(of("framework-cuda"), "fail torch is built for 12.1, but 12.4 was requested");
  EXPECT_THAT(of("gpu-archs"), StartsWith("fail torch 2.3.1 has neither binaries nor PTX for GeForce RTX 5090 (12.0)"));
}

}  // namespace
}  // namespace envgen
