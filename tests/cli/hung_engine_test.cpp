// `envgen validate` with an engine that hangs: the time is one for all, cleaning up has a small one of its own, and an interrupt ends
// it all.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "container/container.hpp"
#include "support/engine_double.hpp"
#include "support/running_tool.hpp"

namespace envgen {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::EngineDouble;
using test::RunningTool;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;

constexpr seconds time_of_run{2};
constexpr seconds busy_machine{8};  ///< what a machine under load adds
constexpr seconds longest = time_of_run + container::clean_up_time + busy_machine;

/// `STATUS MESSAGE` of one check.
std::string row(const nlohmann::json& report, const std::string& check) {
  for (const auto& one : report.at("checks")) {
    if (one.at("id") == check) return one.at("status").get<std::string>() + " " + one.at("message").get<std::string>();
  }
  return "no row";
}

std::string failures(const nlohmann::json& report) {
  std::string text;
  for (const auto& one : report.at("checks")) {
    if (one.at("status") == "fail") text += one.at("id").get<std::string>() + ": " + one.at("message").get<std::string>() + "\n";
  }
  return text;
}

class HungEngine : public testing::Test {
 protected:
  explicit HungEngine(const std::string& client = "docker") : docker_({client}), client_(client) {
    docker_.all_well();
    if (client == "podman")
      docker_.answer("info", R"({"host": {"arch": "amd64", "serviceIsRemote": false, "hostname": ")" + EngineDouble::host_name() +
                                 R"("}, "version": {"Version": "5.4.2"}})");
    docker_.answer("start", R"({"schema_version": 1, "program": {"name": "envgen-bench"}, "interrupted": false,
      "touched": {"path": "/envgen-mount/written", "error": "Permission denied"},
      "gpu": {"present": false, "absent": true}, "gpus": [], "summary": {"pass": 0, "warn": 0, "fail": 0, "skip": 1, "unknown": 0},
      "tests": [{"id": "probe", "status": "skip", "message": "no GPU"}]})");
    docker_.answer("logs", R"({"inode":4026531839,"key":1163289011,"name":"envgen-canary-0123abcd",)"
                           R"("nonce":"0123456789abcdeffedcba9876543210"})"
                           "\n");
    std::ofstream(bench()) << "a double";
    fs::permissions(bench(), fs::perms::all);
  }
  std::string bench() const { return (docker_.folder() / "envgen-bench").string(); }
  void hang(const std::string& command) const { docker_.delay(command, "1000"); }
  std::vector<std::string> words(seconds timeout = time_of_run) const {
    return {ENVGEN_TOOL, "validate",  "mine",   "--engine", client_, "--bench", bench(), "--timeout", std::to_string(timeout.count()),
            "--gpus",    "none",      "--format", "json"};
  }
  /// Waits until the engine was asked for that.
  testing::AssertionResult asked(const std::string& command) const {
    for (int i = 0; i < 2000; ++i) {
      if (!docker_.calls(command).empty()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(milliseconds(10));
    }
    return testing::AssertionFailure() << command << " was not asked";
  }

  EngineDouble docker_;
  std::string client_;
};

struct Hang {
  std::string client;
  std::string command;
  std::string host;  ///< DOCKER_HOST
  int exit;
  std::string check;  ///< what tells of it
  std::string said;
};
void PrintTo(const Hang& hang, std::ostream* to) { *to << hang.client << ' ' << hang.command << ' ' << hang.host; }

constexpr const char* here = "unix:///var/run/docker.sock";
constexpr const char* there = "tcp://10.0.0.1:2376";
const std::string not_removed = "the engine does not remove (envgen-validate-[0-9]+-[0-9a-f]{8}) ";

class Hangs : public HungEngine, public testing::WithParamInterface<Hang> {
 protected:
  Hangs() : HungEngine(GetParam().client) {}
};

TEST_P(Hangs, EndsInTime) {
  const auto& [client, command, host, exit, check, said] = GetParam();
  if (host.empty())
    ::unsetenv("DOCKER_HOST");
  else
    ::setenv("DOCKER_HOST", host.c_str(), 1);
  hang(command);
  std::ofstream(docker_.folder() / "deaf");  // to every signal that can be ignored
  RunningTool tool(words(), docker_.folder());
  const auto status = tool.wait(longest);
  ASSERT_TRUE(status) << "it outlives its time";
  EXPECT_EQ(*status, exit) << tool.err();
  const auto report = nlohmann::json::parse(tool.out());
  EXPECT_THAT(row(report, check), MatchesRegex(said)) << failures(report);
  EXPECT_EQ(tool.err(), "");
}

const std::string in_time = "no end after [12] s";

INSTANTIATE_TEST_SUITE_P(
    In, Hangs,
    testing::Values(
        Hang{"docker", "context", "", 6, "engine", "fail docker context: " + in_time},
        Hang{"docker", "info", here, 6, "engine", "fail docker info: " + in_time},
        Hang{"docker", "ps", here, 6, "engine", "fail docker ps: " + in_time},
        Hang{"docker", "image-inspect", here, 6, "image", "fail docker image inspect: " + in_time},
        Hang{"docker", "create", here, 6, "start", "fail docker create: no end after [45] s"},
        Hang{"docker", "cp", here, 6, "start", "fail docker cp: " + in_time},
        Hang{"docker", "start", here, 5, "bench", "fail " + in_time + ", and it was killed"},
        Hang{"docker", "inspect", here, 5, "bench",
             "fail the engine does not tell how the container ended: docker inspect: no end after [45] s"},
        Hang{"docker", "rm", here, 5, "removed",
             "fail " + not_removed + "\\(docker rm: no end after 1[12] s\\): docker rm --force envgen-validate-.*; the next run "
             "removes it, too"},
        Hang{"docker", "logs", there, 5, "bench", "x"}, Hang{"docker", "stop", there, 5, "bench", "x"},
        Hang{"podman", "info", here, 6, "engine", "fail podman info: " + in_time},
        Hang{"podman", "create", here, 6, "start", "fail podman create: no end after [45] s"},
        Hang{"podman", "start", here, 5, "bench", "fail " + in_time + ", and it was killed"},
        Hang{"podman", "rm", here, 5, "removed",
             "fail " + not_removed + "\\(podman rm: no end after 1[12] s\\): podman rm --force envgen-validate-.*; the next run "
             "removes it, too"}));

}  // namespace
}  // namespace envgen
