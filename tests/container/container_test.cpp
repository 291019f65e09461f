// A container goes on every way out.
#include "container/container.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "container/owner.hpp"
#include "support/engine_double.hpp"
#include "support/heard_signals.hpp"
#include "util/interrupt.hpp"

namespace envgen::container {
namespace {

using std::chrono::milliseconds;
using test::EngineDouble;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::size_t enough = 1000;

class Containers : public testing::Test {
 protected:
  Containers() {
    docker_.all_well();
    engine_.emplace(*Engine::find("docker", util::RunTime(std::chrono::seconds(60))));
  }
  /// The engine again, in a run of so many seconds.
  void within(int seconds) { engine_.emplace(*Engine::find("docker", util::RunTime(std::chrono::seconds(seconds)))); }

  const test::HeardSignals heard_;
  EngineDouble docker_;
  std::optional<Engine> engine_;
  std::vector<Left> left_;
};

TEST_F(Containers, OneThatIsStartedApart) {
  Container container(*engine_, left_);
  ASSERT_TRUE(container.create({"image", {}, "/program", {}}));
  ASSERT_TRUE(container.start_apart());
  docker_.answer("logs", "ready\n");
  EXPECT_EQ(container.printed(), "ready\n");
  container.stop();
  EXPECT_THAT(docker_.calls("start"), ElementsAre("start|" + container.name() + "|"));
  EXPECT_THAT(docker_.calls("stop"), ElementsAre("stop|--time|5|" + container.name() + "|"));
  docker_.answer("start", "", 1, "no such thing");
  EXPECT_EQ(container.start_apart().error().message, "docker start: exit status 1");
  docker_.answer("logs", "", 1, "no such thing");
  EXPECT_EQ(container.printed().error().message, "docker logs: exit status 1");
}

TEST_F(Containers, HandsOutItsFiles) {
  Container container(*engine_, left_);
  ASSERT_TRUE(container.create({"image", {}, "/bin/true", {}}));
  std::string files;
  docker_.answer("export", "an archive");
  ASSERT_TRUE(container.export_files([&](std::string_view piece) { files += piece; }));
  EXPECT_EQ(files, "an archive");
  EXPECT_THAT(docker_.calls("export"), ElementsAre("export|" + container.name() + "|"));
  docker_.answer("export", "an", 1, "no space");
  const auto failed = container.export_files([](std::string_view) {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "docker export: exit status 1");
  EXPECT_THAT(failed.error().hints, ElementsAre("no space"));
}

TEST_F(Containers, FromCreateToRemoval) {
  std::string name;
  {
    Container container(*engine_, left_);
    name = container.name();
    docker_.answer("start", "out", 3, "err");
    ASSERT_TRUE(container.create({"image", {"--gpus", "all"}, "/program", {"--flag", "a b"}}));
    ASSERT_TRUE(container.copy_in("/etc/hostname", "/program"));
    const auto ran = container.start(enough);
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->out, "out");
    EXPECT_EQ(ran->exit_status, 3);
    const auto state = container.state();
    ASSERT_TRUE(state);
    EXPECT_TRUE(state->started);
    EXPECT_EQ(state->ipc_mode, "private");
  }
  EXPECT_EQ(docker_.calls("create").at(0), "create|--pull=never|--name|" + name + "|--label|envgen.validate=" +
                                               Owner::self().label() + "|--gpus|all|--entrypoint|/program|image|--flag|a b|");
  EXPECT_THAT(docker_.calls("cp"), ElementsAre("cp|/etc/hostname|" + name + ":/program|"));
  EXPECT_THAT(docker_.calls("start"), ElementsAre("start|--attach|" + name + "|"));
  EXPECT_THAT(docker_.calls("rm"), ElementsAre("rm|--force|--volumes|" + name + "|"));
}

TEST_F(Containers, ACreateThatFailsMayHaveLeftOne) {
  docker_.answer("create", "", 125, "docker: Error response from daemon: no space left on device.\n");
  {
    Container container(*engine_, left_);
    const auto made = container.create({"image", {}, "/program", {}});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message, "docker create: exit status 125");
    EXPECT_THAT(made.error().hints, ElementsAre("docker: Error response from daemon: no space left on device."));
  }
  EXPECT_EQ(docker_.calls("rm").size(), 1U);
}

TEST_F(Containers, ATimeOutRemovesIt) {
  docker_.delay("start", "30");
  within(1);
  {
    Container container(*engine_, left_);
    ASSERT_TRUE(container.create({"image", {}, "/program", {}}));
    const auto ran = container.start(enough);
    ASSERT_TRUE(ran);
    EXPECT_TRUE(ran->timed_out);
  }
  EXPECT_EQ(docker_.calls("rm").size(), 1U);
}

class Interrupted : public Containers, public testing::WithParamInterface<int> {};

TEST_P(Interrupted, ItIsRemovedAllTheSame) {
  docker_.delay("start", "30");
  docker_.delay("rm", "0.2");
  const util::InterruptScope scope;
  {
    Container container(*engine_, left_);
    ASSERT_TRUE(container.create({"image", {}, "/program", {}}));
    std::thread sender([] {
      std::this_thread::sleep_for(milliseconds(200));
      ::kill(::getpid(), GetParam());
    });
    const auto ran = container.start(enough);
    sender.join();
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, ErrorCode::interrupted);
    EXPECT_TRUE(container.remove());  // waits for the engine
  }
  EXPECT_EQ(docker_.calls("rm").size(), 1U);
}
INSTANTIATE_TEST_SUITE_P(By, Interrupted, testing::Values(SIGINT, SIGTERM));

TEST_F(Containers, ACreateIsNotCutShort) {
  docker_.delay("create", "0.3");
  const util::InterruptScope scope;
  {
    Container container(*engine_, left_);
    std::thread sender([] {
      std::this_thread::sleep_for(milliseconds(100));
      ::kill(::getpid(), SIGINT);
    });
    const auto made = container.create({"image", {}, "/program", {}});
    sender.join();
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::interrupted);
    EXPECT_EQ(made.error().message, "interrupted");
  }
  EXPECT_EQ(docker_.calls("rm").size(), 1U);
}

/// A client that was ended may have left its engine at work.
TEST_F(Containers, OneThatMayYetBeMadeIsLookedForAndRemoved) {
  docker_.delay("create", "10");
  within(1);
  docker_.answer("ps", "");
  docker_.answer("ps.2", "0123456789ab\n");
  {
    Container container(*engine_, left_);
    const auto made = container.create({"image", {}, "/program", {}});
    ASSERT_FALSE(made);
    EXPECT_TRUE(came_too_late(made.error()));
  }
  EXPECT_EQ(docker_.calls("ps").size(), 2U);
  EXPECT_EQ(docker_.calls("rm").size(), 1U);
  EXPECT_THAT(left_, IsEmpty());
}

TEST_F(Containers, WhatCannotBeRemovedIsTold) {
  docker_.answer("rm", "", 1, "Error response from daemon: removal is stuck\n");
  std::string name;
  {
    Container container(*engine_, left_);
    name = container.name();
    ASSERT_TRUE(container.create({"image", {}, "/program", {}}));
  }
  ASSERT_EQ(left_.size(), 1U);
  EXPECT_EQ(left_[0].container, name);
  EXPECT_EQ(left_[0].engine, EngineKind::docker);
  EXPECT_EQ(left_[0].why, "docker rm: exit status 1: Error response from daemon: removal is stuck");
}

TEST_F(Containers, AfterOneThatCameTooLateNoOtherLeftoverIsTried) {
  auto dead = Owner::self();
  dead.began = "1";
  docker_.answer("ps", "one\ntwo\n");
  docker_.answer("inspect", dead.label() + "\n");
  docker_.delay("rm", "10");
  within(3);
  const auto leftovers = remove_leftovers(*engine_);
  ASSERT_TRUE(leftovers);
  ASSERT_EQ(leftovers->left.size(), 1U);
  EXPECT_EQ(leftovers->left[0].container, "one");
  EXPECT_EQ(docker_.calls("rm").size(), 1U);
}

TEST_F(Containers, OneThatIsNotThereIsRemoved) {
  docker_.answer("rm", "", 1, "Error: No such container: x\n");
  Container container(*engine_, left_);
  EXPECT_TRUE(container.remove());
  docker_.answer("rm", "", 1, "Error response from daemon: removal is stuck\n");
  const auto stuck = container.remove();
  ASSERT_FALSE(stuck);
  EXPECT_EQ(stuck.error().message, "docker rm: exit status 1");
  EXPECT_EQ(docker_.calls("rm").size(), 3U);  // once more, for an engine that was busy
}

TEST_F(Containers, OnlyThoseOfDeadOwnersAreLeftovers) {
  auto dead = Owner::self();
  dead.began = "1";  // another process had the pid
  auto elsewhere = dead;
  elsewhere.machine = "elsewhere/pid:[1]";
  docker_.answer("ps", "dead\nalive\nelsewhere\nforeign\n");
  docker_.answer("inspect.1", dead.label() + "\n");
  docker_.answer("inspect.2", Owner::self().label() + "\n");
  docker_.answer("inspect.3", elsewhere.label() + "\n");
  docker_.answer("inspect.4", "<no value>\n");
  const auto leftovers = remove_leftovers(*engine_);
  ASSERT_TRUE(leftovers);
  EXPECT_THAT(leftovers->removed, ElementsAre("dead"));
  EXPECT_THAT(leftovers->left, IsEmpty());
  EXPECT_THAT(docker_.calls("rm"), ElementsAre("rm|--force|--volumes|dead|"));
  EXPECT_THAT(docker_.calls("ps").at(0), AllOf(StartsWith("ps|--all|"), HasSubstr("label=envgen.validate")));
}

TEST_F(Containers, NoLeftoversWhereTheEngineDoesNotTell) {
  docker_.answer("ps", "", 1, "gone");
  const auto leftovers = remove_leftovers(*engine_);
  ASSERT_TRUE(leftovers);
  EXPECT_THAT(leftovers->removed, IsEmpty());
}

TEST_F(Containers, LeftoversThatTheEngineDoesNotRemoveAreTold) {
  auto dead = Owner::self();
  dead.began = "1";
  docker_.answer("ps", "one\ntwo\n");
  docker_.answer("inspect", dead.label() + "\n");
  docker_.answer("rm", "", 1, "Error response from daemon: removal is stuck\n");
  const auto leftovers = remove_leftovers(*engine_);
  ASSERT_TRUE(leftovers);
  EXPECT_THAT(leftovers->removed, IsEmpty());
  ASSERT_EQ(leftovers->left.size(), 2U);
  EXPECT_EQ(
      describe(leftovers->left),
      "the engine did not remove one two (docker rm: exit status 1: Error response from daemon: removal is stuck): docker rm "
      "--force one two; the next run also removes it");
}

TEST_F(Containers, NothingIsAskedWhenTheTimeIsOver) {
  within(1);
  std::this_thread::sleep_for(milliseconds(1100));
  const auto late = engine_->ask({"version"}, {});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().message, "docker version: no time left");
  EXPECT_TRUE(came_too_late(late.error()));
  EXPECT_TRUE(engine_->ask({"version"}, {}, clean_up_time));  // but to clean up
  EXPECT_EQ(docker_.calls("version").size(), 1U);
}

TEST_F(Containers, NoneIsMadeAfterAnInterrupt) {
  const util::InterruptScope scope;
  std::raise(SIGINT);
  {
    Container container(*engine_, left_);
    EXPECT_EQ(container.create({"image", {}, "/program", {}}).error().code, ErrorCode::interrupted);
  }
  EXPECT_THAT(docker_.calls("create"), IsEmpty());
  EXPECT_THAT(docker_.calls("rm"), IsEmpty());
  EXPECT_THAT(left_, IsEmpty());
}

TEST(State, OfOneThatNeverStarted) {
  const auto state = parse_state(
      R"({"State": {"StartedAt": "0001-01-01T00:00:00Z", "ExitCode": 128, "OOMKilled": false, "Error": "no such runtime"}})");
  ASSERT_TRUE(state);
  EXPECT_FALSE(state->started);
  EXPECT_EQ(state->error, "no such runtime");
  EXPECT_EQ(state->exit_status, 128);
  EXPECT_FALSE(parse_state(R"({"State": {"StartedAt": ""}})")->started);
  const auto killed = parse_state(R"({"State": {"StartedAt": "2026", "OOMKilled": true}, "HostConfig": {"IpcMode": "host"}})");
  EXPECT_TRUE(killed->out_of_memory);
  EXPECT_EQ(killed->exit_status, 0);
  EXPECT_EQ(killed->ipc_mode, "host");
  EXPECT_TRUE(parse_state(R"([{"State": {"StartedAt": "2026-11-22T10:00:00Z"}}])")->started);
  for (const auto* text : {"{}", "[]", R"({"State": 1})", R"({"State": {"ExitCode": 0}})"})
    EXPECT_EQ(parse_state(text).error().message, "the engine's output describes no container") << text;
  EXPECT_EQ(parse_state("{\"State\": ").error().message,
            "cannot read the output of inspect: the answer is truncated (line 1, column 11)");
}

TEST(Owners, AreReadBack) {
  const auto self = Owner::self();
  const auto read = Owner::parse(self.label());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->label(), self.label());
  EXPECT_FALSE(read->dead());
  for (const auto* label : {"", "one", "one two", " one", "machine x 5", "machine 5x 5", "machine -3 5", "machine 0 5",
                            "machine 99999999999999999999 5"})
    EXPECT_FALSE(Owner::parse(label)) << label;
  const auto parsed = Owner::parse("a machine 12 345");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->machine, "a machine");
  EXPECT_EQ(parsed->pid, 12);
  EXPECT_EQ(parsed->began, "345");
}

/// A container shares this machine's name, and not its pids.
TEST(Owners, AreOfANamespaceOfPids) {
  const auto link = std::filesystem::read_symlink("/proc/self/ns/pid").string();
  EXPECT_THAT(Owner::self().machine, testing::EndsWith("/" + link));
  EXPECT_NE(Owner::self().machine, "/" + link);
  EXPECT_EQ(Owner::self().pid, ::getpid());
}

TEST(Owners, BeganWhenTheKernelSays) {
  std::ifstream stat("/proc/self/stat");
  std::string text{std::istreambuf_iterator<char>(stat), {}};
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string began;
  for (int field = 3; field <= 22; ++field) fields >> began;  // proc(5): starttime is the 22nd
  EXPECT_EQ(Owner::self().began, began);
}

TEST(Owners, AreDeadWhereTheirProcessIsGoneOrAnotherOne) {
  auto owner = Owner::self();
  EXPECT_FALSE(owner.dead());
  owner.began += "0";
  EXPECT_TRUE(owner.dead());
  owner.machine += "x";
  EXPECT_FALSE(owner.dead()) << "of another machine nothing is known";
  owner = Owner::self();
  owner.pid = 999999999;
  EXPECT_TRUE(owner.dead());
}

}  // namespace
}  // namespace envgen::container
