// `envgen validate`: exit statuses, where envgen-bench is looked for, and where the report goes.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_tool.hpp"
#include "support/engine_double.hpp"
#include "validate/checks.hpp"

namespace envgen {
namespace {

namespace fs = std::filesystem;
using test::EngineDouble;
using test::run_tool;
using testing::HasSubstr;
using testing::StartsWith;

class Validate : public testing::Test {
 protected:
  Validate() {
    docker_.all_well();
    docker_.answer("start", R"({"python": "3.11.2", "framework": "", "error": ""})");
    docker_.answer("start.1", R"({"schema_version": 1, "program": {"name": "envgen-bench"}, "interrupted": false,
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
  EXPECT_THAT(failed.out, HasSubstr("\nfail    mount-owner    the user could not write into a mounted folder\n"));
  docker_.answer("image-inspect", "", 1, "No such image: mine");
  EXPECT_EQ(run_tool({"validate", "mine", "--bench", bench()}).exit, 6);
}

TEST_F(Validate, VolumesThatAreNone) {
  for (const auto* wrong : {"/data", "/data:", "/a:relative", ":/data", "/a:/b:ro:x"}) {
    const auto outcome = run_tool({"validate", "mine", "--bench", bench(), "--volume", wrong});
    EXPECT_EQ(outcome.exit, 2) << wrong;
    EXPECT_THAT(outcome.err, HasSubstr("is not SOURCE:TARGET[:ro]")) << wrong;
  }
}

TEST_F(Validate, JsonOfTheContract) {
  const auto report = run_tool({"validate", "mine", "--bench", bench(), "--format", "json"}).json();
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

TEST_F(Validate, TheBenchIsLookedFor) {
  ::setenv("ENVGEN_BENCH", "/nowhere/envgen-bench", 1);
  const auto named = run_tool({"validate", "mine"});
  ::unsetenv("ENVGEN_BENCH");
  EXPECT_EQ(named.exit, 6);
  EXPECT_EQ(named.err,
            "envgen: ENVGEN_BENCH: there is no file '/nowhere/envgen-bench'\n  scripts/bench.sh builds envgen-bench\n");
  fs::permissions(bench(), fs::perms::owner_all);
  const auto mine = run_tool({"validate", "mine", "--bench", bench()});
  EXPECT_EQ(mine.exit, 6);
  EXPECT_EQ(mine.err, "envgen: --bench: '" + bench() + "' cannot be executed by every user\n  chmod 755 " + bench() + "\n");
  docker_.answer("image-inspect", R"({"Id": "sha256:1", "Architecture": "riscv64", "Config": {}})");
  const auto none = run_tool({"validate", "mine"});
  EXPECT_EQ(none.exit, 6);
  EXPECT_EQ(none.err,
            "envgen: --bench: envgen-bench for 'riscv64' is not here\n  scripts/bench.sh builds it\n"
            "  --bench FILE or ENVGEN_BENCH names one\n");
}

TEST_F(Validate, ALockThatIsNotThere) {
  const auto outcome = run_tool({"validate", "mine", "--lock", "/nowhere/envgen.lock"});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere/envgen.lock"));
}

}  // namespace
}  // namespace envgen
