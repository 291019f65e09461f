// How a program in a container ended: what engines, their runtimes and the kernel say of it.
#include "validate/launch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/engine_double.hpp"

namespace envgen::validate {
namespace {

using test::EngineDouble;
using testing::ElementsAre;

class Launch : public testing::Test {
 protected:
  Launch() { docker_.all_well(); }
  Launched launch(const Program& program = {{"--network=none"}, "/program", {"-c", "x"}, "/etc/hostname"}) {
    const auto engine = container::Engine::find("docker", util::RunTime(std::chrono::seconds(20)));
    Launcher launcher(*engine, "image", left_);
    const auto launched = launcher.launch(program);
    EXPECT_TRUE(launched) << launched.error().message;
    EXPECT_EQ(launcher.launched(), 1U);
    EXPECT_EQ(docker_.calls("create").size(), docker_.calls("rm").size());
    return launched.value_or(Launched{});
  }
  /// What `start` answers, and then the state of the container.
  void ends(int start, const std::string& err, bool started, int exit_status, const std::string& error = {}) const {
    docker_.answer("start", "", start, err.empty() ? "" : err + "\n");
    docker_.answer("inspect", R"({"State": {"StartedAt": ")" +
                                  std::string(started ? "2026-11-22T10:00:00Z" : "0001-01-01T00:00:00Z") + R"(", "ExitCode": )" +
                                  std::to_string(exit_status) + R"(, "OOMKilled": false, "Error": ")" + error +
                                  R"("}, "HostConfig": {"IpcMode": "shareable"}})");
  }

  EngineDouble docker_;
  std::vector<container::Left> left_;
};

TEST_F(Launch, AProgramThatEnds) {
  ends(3, "a word", true, 3);
  const auto launched = launch();
  EXPECT_EQ(launched.end, Launched::End::done);
  EXPECT_EQ(launched.exit_status, 3);
  EXPECT_EQ(launched.ipc_mode, "shareable");
  EXPECT_THAT(launched.words, ElementsAre("a word"));
  EXPECT_THAT(docker_.calls("create").at(0),
              testing::HasSubstr("|--network=none|--env=LD_PRELOAD=|--env=LD_AUDIT=|--env=LD_LIBRARY_PATH=|--entrypoint|/program|"
                                 "image|-c|x|"));
  EXPECT_EQ(docker_.calls("cp").size(), 1U);
}

TEST_F(Launch, AProgramOfTheImageIsNotCopiedAndKeepsItsEnvironment) {
  launch({{}, "python", {}, {}});
  EXPECT_THAT(docker_.calls("create").at(0), testing::Not(testing::HasSubstr("--env=")));
  EXPECT_TRUE(docker_.calls("cp").empty());
}

TEST_F(Launch, ASignalIsTheStatusAbove128) {
  ends(129, "", true, 129);
  EXPECT_EQ(launch().why, "it was killed by signal 1");
  std::filesystem::remove(docker_.folder() / "calls");
  ends(137, "last words", true, 137);
  const auto killed = launch();
  EXPECT_EQ(killed.end, Launched::End::failed);
  EXPECT_EQ(killed.why, "it was killed by signal 9");
  EXPECT_FALSE(killed.out_of_memory);
  std::filesystem::remove(docker_.folder() / "calls");
  ends(128, "", true, 128);
  EXPECT_EQ(launch().end, Launched::End::done);
}

TEST_F(Launch, AProgramThatPrintsTooMuchIsEnded) {
  docker_.answer("start", "\"nonce\"" + std::string((largest_out_mib << 20) + 1, 'x'));
  const auto launched = launch();
  EXPECT_EQ(launched.end, Launched::End::failed);
  EXPECT_EQ(launched.why, "it printed more than 16 MiB");
}

TEST_F(Launch, WhatTheEngineCannotCopyInIsRefused) {
  docker_.answer("cp", "", 1, "no space left on device");
  const auto launched = launch();
  EXPECT_EQ(launched.end, Launched::End::refused);
  EXPECT_EQ(launched.why, "docker cp: exit status 1");
  EXPECT_THAT(launched.words, ElementsAre("no space left on device"));
  EXPECT_FALSE(launched.silent);
}

/// Whether the words of a start that failed say that there is no such program, or that the engine cannot start any.
class StartWords : public Launch, public testing::WithParamInterface<std::pair<const char*, bool>> {};

TEST_P(StartWords, TellAMissingProgramFromAnEngineInTrouble) {
  ends(127, GetParam().first, false, 127);
  const auto launched = launch();
  EXPECT_EQ(launched.end, GetParam().second ? Launched::End::not_there : Launched::End::refused) << GetParam().first;
  EXPECT_EQ(launched.why, "docker start: exit status 127");
  EXPECT_THAT(launched.words, ElementsAre(GetParam().first));
}
INSTANTIATE_TEST_SUITE_P(
    Of, StartWords,
    testing::Values(std::pair("exec: \"python\": executable file not found in $PATH: unknown", true),
                    std::pair("exec /program: exec format error", true),
                    std::pair("crun: executable file `/program` not found: No such file or directory", true),
                    std::pair("crun: open executable: Permission denied: OCI permission denied", true),
                    std::pair("runc create failed: exec: \"/program\": stat /x: no such file or directory", true),
                    std::pair("starting: exec /program: no such file or directory", true),
                    std::pair("error: stat /program: No such file or directory", true),
                    std::pair("exec user process caused: no such file or directory", true),
                    std::pair("exec container process (missing dynamic library?) `/program`: No such file or directory", true),
                    std::pair("exec container process `/other`: No such file or directory", false),
                    std::pair("stat /other: no such file or directory", false),
                    std::pair("exec: \"/program\": permission denied", false)));

TEST_F(Launch, ThatTheProgramIsMissingMayStandInTheStateAlone) {
  ends(127, "", false, 127, "exec /program: no such file or directory");
  const auto launched = launch();
  EXPECT_EQ(launched.end, Launched::End::not_there);
  EXPECT_THAT(launched.words, ElementsAre("exec /program: no such file or directory"));
}

TEST_F(Launch, AProgramMaySayInItsOwnWordsWhatARuntimeSays) {
  ends(1, "cannot load x: exec /program: no such file or directory", true, 1);
  EXPECT_EQ(launch().end, Launched::End::done);
  std::filesystem::remove(docker_.folder() / "calls");
  ends(1, "exec /program: no such file or directory", true, 1);  // a runtime that calls it started
  EXPECT_EQ(launch().end, Launched::End::not_there);
}

TEST_F(Launch, LinesOfProgressAreHeardAndLeftOut) {
  const std::string mark(progress_mark);
  docker_.answer("start", "", 0, mark + "one\nword\n" + mark + std::string(300, 'x') + "\n" + mark + "cut");
  std::vector<std::string> heard;
  Program program{{}, "/program", {}, "/etc/hostname"};
  program.hears = [&](std::string_view line) { heard.emplace_back(line); };
  EXPECT_THAT(launch(program).words, ElementsAre("word"));
  EXPECT_THAT(heard, ElementsAre("one", std::string(200 - mark.size(), 'x')));
}

TEST(Failed, SaysWhyAndWithWhichWords) {
  Launched launched{Launched::End::failed, "it was killed", {"a", "b"}, {}, 0, {}};
  EXPECT_EQ(failed("bench", launched).message, "it was killed: a b");
  EXPECT_EQ(failed("bench", launched).status, Status::fail);
  EXPECT_EQ(failed("bench", launched).diagnosis, nullptr);
  launched.out_of_memory = true;
  EXPECT_EQ(failed("bench", launched).diagnosis->id, "host-oom");
  EXPECT_EQ(failed("bench", out_of_time()).status, Status::unknown);
  launched.words = {"libcuda.so.1: cannot open shared object file"};
  launched.exit_status = 3;
  const auto unread = failed("bench", launched, Error{ErrorCode::bad_input, "it is empty", "report", {}});
  EXPECT_EQ(unread.message, "report (exit status 3): it is empty: libcuda.so.1: cannot open shared object file");
  EXPECT_EQ(unread.diagnosis->id, "cuda-35-no-driver");
}

}  // namespace
}  // namespace envgen::validate
