// `envgen validate` with an engine that hangs: the time is one for all, cleaning up has a small one of its own, and an interrupt
// ends it all.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "container/container.hpp"
#include "container/owner.hpp"
#include "support/engine_double.hpp"
#include "support/running_tool.hpp"

namespace envgen::hung_engine {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::EngineDouble;
using test::RunningTool;
using testing::MatchesRegex;

constexpr seconds time_of_run{3};
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

constexpr const char* here = "unix:///var/run/docker.sock";
constexpr const char* there = "tcp://10.0.0.1:2376";

class HungEngine : public testing::Test {
 protected:
  explicit HungEngine(const std::string& client = "docker") : docker_({client}), client_(client) {
    docker_.all_well();
    if (client == "podman")
      docker_.answer("info", R"({"host": {"arch": "amd64", "serviceIsRemote": false, "hostname": ")" + EngineDouble::host_name() +
                                 R"("}, "version": {"Version": "5.4.2"}})");
    reports("start.1");
    docker_.answer("start", R"({"python": "3.11.2", "framework": "", "error": ""})");
    docker_.answer("logs", R"({"inode":4026531839,"key":1163289011,"name":"envgen-canary-0123abcd",)"
                           R"("nonce":"0123456789abcdeffedcba9876543210"})"
                           "\n");
    std::ofstream(bench()) << "a double";
    fs::permissions(bench(), fs::perms::all);
  }
  /// What envgen-bench prints, by that call.
  void reports(const std::string& start) const {
    docker_.answer(start, R"({"schema_version": 1, "program": {"name": "envgen-bench"}, "interrupted": false,
      "touched": {"path": "/envgen-mount/written", "error": "Permission denied"},
      "gpu": {"present": false, "absent": true}, "gpus": [], "summary": {"pass": 0, "warn": 0, "fail": 0, "skip": 1, "unknown": 0},
      "tests": [{"id": "probe", "status": "skip", "message": "no GPU"}]})");
  }
  std::string bench() const { return (docker_.folder() / "envgen-bench").string(); }
  void hang(const std::string& command) const {
    for (const auto* call : {"", ".1"}) docker_.delay(command + call, "1000");
  }
  std::vector<std::string> words(seconds timeout = time_of_run) const {
    return {ENVGEN_TOOL, "validate",  "mine",
            "--engine",  client_,     "--bench",
            bench(),     "--timeout", std::to_string(timeout.count()),
            "--gpus",    "none",      "--format",
            "json"};
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
  if (host == there) reports("start.2");  // behind what holds IPC there
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

const std::string in_time = "timed out after [1-3] s";
const std::string name = "envgen-validate-[0-9]+-[0-9a-f]{8}";

INSTANTIATE_TEST_SUITE_P(
    In, Hangs,
    testing::Values(Hang{"docker", "context", "", 6, "engine", "fail docker context: " + in_time},
                    Hang{"docker", "info", here, 6, "engine", "fail docker info: " + in_time},
                    Hang{"docker", "ps", here, 6, "engine", "fail docker ps: " + in_time},
                    Hang{"docker", "image-inspect", here, 6, "image", "fail docker image inspect: " + in_time},
                    Hang{"docker", "create", here, 6, "start", "fail docker create: timed out after [4-6] s"},
                    Hang{"docker", "cp", here, 6, "start", "fail docker cp: " + in_time},
                    Hang{"docker", "start", here, 5, "bench", "fail " + in_time + "; it was killed"},
                    Hang{"docker", "inspect", here, 5, "bench",
                         "fail the engine does not report how the container ended: docker inspect: timed out after [4-6] s"},
                    Hang{"docker", "rm", here, 5, "removed",
                         "fail the engine did not remove( " + name +
                             ")+ \\(docker rm: timed out after 1[1-3] s\\): docker rm --force( " + name +
                             ")+; the next run "
                             "also removes it"},
                    Hang{"docker", "logs", there, 6, "start",
                         "fail the engine left no time to start it \\(--timeout gives more\\)"},
                    Hang{"docker", "stop", there, 0, "removed", "pass all 3 containers were removed"},
                    Hang{"podman", "info", here, 6, "engine", "fail podman info: " + in_time},
                    Hang{"podman", "create", here, 6, "start", "fail podman create: timed out after [4-6] s"},
                    Hang{"podman", "start", here, 5, "bench", "fail " + in_time + "; it was killed"},
                    Hang{"podman", "rm", here, 5, "removed",
                         "fail the engine did not remove( " + name +
                             ")+ \\(podman rm: timed out after 1[1-3] s\\): podman rm --force( " + name +
                             ")+; the next run "
                             "also removes it"}));

struct Interrupt {
  std::string command;  ///< that hangs when the signals come
  std::vector<int> signals;
  seconds longest;
  std::string said;
};
void PrintTo(const Interrupt& interrupt, std::ostream* to) { *to << interrupt.signals.size() << " at " << interrupt.command; }

class Interrupts : public HungEngine, public testing::WithParamInterface<Interrupt> {};

TEST_P(Interrupts, End) {
  const auto& [command, signals, soon, said] = GetParam();
  hang(command);
  if (command == "create") {
    docker_.answer("ps.2", "");  // where it is looked for; the first is for what earlier runs left
    hang("ps.2");
  }
  std::ofstream(docker_.folder() / "deaf");
  auto line = words(seconds(300));
  line.resize(line.size() - 2);  // in words, not JSON
  RunningTool tool(line, docker_.folder());
  ASSERT_TRUE(asked(command == "image-inspect" ? "image" : command));
  for (const int number : signals) {
    tool.signal(number);
    std::this_thread::sleep_for(milliseconds(100));
  }
  const auto status = tool.wait(soon + busy_machine);
  ASSERT_TRUE(status) << "it outlives an interrupt";
  EXPECT_EQ(*status, 128 + signals.front());
  EXPECT_THAT(tool.err(), MatchesRegex(said));
  EXPECT_EQ(tool.out(), "");
}

const std::string ended = "envgen: interrupted; 'docker' was stopped\n";
const std::string stays = "  the engine did not remove " + name + " \\(its removal was interrupted\\): docker rm --force " +
                          name + "; the next run also removes it\n";

INSTANTIATE_TEST_SUITE_P(
    In, Interrupts,
    testing::Values(Interrupt{"info", {SIGINT}, seconds(1), ended}, Interrupt{"ps", {SIGINT}, seconds(1), ended},
                    Interrupt{"image-inspect", {SIGTERM}, seconds(1), ended}, Interrupt{"cp", {SIGINT}, seconds(1), ended},
                    Interrupt{"start", {SIGHUP}, seconds(1), ended}, Interrupt{"inspect", {SIGINT}, seconds(1), ended},
                    Interrupt{"create", {SIGINT}, seconds(10), ended + stays},
                    Interrupt{"create", {SIGINT, SIGINT}, seconds(2), ended + stays},
                    Interrupt{"create", {SIGINT, SIGTERM, SIGINT}, seconds(0), ended + stays},
                    Interrupt{"rm", {SIGINT}, seconds(10), "envgen: interrupted\n" + stays},
                    Interrupt{"rm", {SIGINT, SIGINT}, seconds(2), "envgen: interrupted\n" + stays},
                    Interrupt{"rm", {SIGINT, SIGINT, SIGINT}, seconds(0), "envgen: interrupted\n" + stays}));

class Left : public HungEngine {};

TEST_F(Left, IsRemovedByTheNextRun) {
  hang("rm");
  {
    RunningTool tool(words(), docker_.folder());
    EXPECT_EQ(tool.wait(longest), 5);
  }
  const auto created = docker_.calls("create").at(0);
  const std::string label = "envgen.validate=";
  const auto begins = created.find(label) + label.size();
  fs::remove(docker_.folder() / "calls");
  fs::remove(docker_.folder() / "rm.sleep");
  docker_.answer("ps", "0123\n");
  docker_.answer("inspect.1", created.substr(begins, created.find('|', begins) - begins) + "\n");
  RunningTool next(words(seconds(60)), docker_.folder());
  ASSERT_TRUE(next.wait(longest));
  EXPECT_EQ(row(nlohmann::json::parse(next.out()), "engine"),
            "pass docker 29.1.0 responds; removed 1 container(s) left by an earlier run");
  EXPECT_EQ(docker_.calls("rm").at(0), "rm|--force|--volumes|0123|");
}

TEST_F(Left, ByAnEarlierRunStaysWhereItsRemovalHangs) {
  docker_.answer("ps", "0123\n4567\n");
  const auto dead = container::Owner{container::Owner::self().machine, ::getpid(), "1"}.label() + "\n";
  docker_.answer("inspect.1", dead);
  docker_.answer("inspect.2", dead);
  docker_.delay("rm.1", "1000");
  docker_.answer("rm.1", "");
  RunningTool tool(words(seconds(8)), docker_.folder());
  ASSERT_TRUE(tool.wait(seconds(8) + longest));
  EXPECT_THAT(
      row(nlohmann::json::parse(tool.out()), "engine"),
      MatchesRegex(
          "warn docker 29.1.0 responds; from an earlier run: the engine did not remove 0123 \\(docker rm: timed out after "
          "[12] s\\): docker rm --force 0123; the next run also removes it"));
}

TEST_F(Left, OfACreateThatWasEndedIsLookedForUntilItIsThere) {
  hang("create");
  docker_.answer("ps.4", "0123\n");
  RunningTool tool(words(), docker_.folder());
  EXPECT_EQ(tool.wait(longest), 6);
  EXPECT_EQ(docker_.calls("rm").size(), 1U);
  const auto report = nlohmann::json::parse(tool.out());
  EXPECT_EQ(row(report, "removed"), "pass the container was removed");
}

TEST_F(Left, OfACreateThatWasEndedIsToldWhereItIsNotThere) {
  hang("create");
  RunningTool tool(words(), docker_.folder());
  EXPECT_EQ(tool.wait(longest), 6);
  EXPECT_THAT(row(nlohmann::json::parse(tool.out()), "removed"),
              MatchesRegex("fail the engine did not remove " + name +
                           " \\(docker create was stopped, but may still create it\\): docker rm "
                           "--force " +
                           name + "; the next run also removes it"));
  EXPECT_TRUE(docker_.calls("rm").empty());
}

TEST_F(Left, NothingByACreateThatEndsSoonAfterTheInterrupt) {
  docker_.delay("create", "1");
  RunningTool tool(words(seconds(60)), docker_.folder());
  ASSERT_TRUE(asked("create"));
  tool.signal(SIGINT);
  EXPECT_EQ(tool.wait(longest), 130);
  EXPECT_EQ(docker_.calls("rm").size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(tool.out()).at("error").dump(),
            R"({"code":"interrupted","hints":[],"message":"interrupted","origin":""})");
}

}  // namespace
}  // namespace envgen::hung_engine
