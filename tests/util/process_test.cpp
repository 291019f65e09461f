#include "util/process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace envgen::util {
namespace {

using std::chrono::milliseconds;

ProcessResult shell(const std::string& script, const ProcessLimits& limits = {}) {
  auto result = run_process({"sh", "-c", script}, limits);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : ProcessResult{};
}

ProcessLimits within(milliseconds timeout) {
  ProcessLimits limits;
  limits.timeout = timeout;
  return limits;
}

TEST(Process, BothStreamsAndTheStatus) {
  const auto result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_EQ(result.signal, 0);
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.ending(), "exit status 3");
  EXPECT_TRUE(shell("exit 0").ok());
}

TEST(Process, ArgumentsReachTheProgramAsTheyAre) {
  const auto result = run_process({"printf", "%s|", "a b", "$HOME", "'\"; exit 1", "", "*"});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, "a b|$HOME|'\"; exit 1||*|");
}

TEST(Process, InputIsEmpty) { EXPECT_EQ(shell("cat; echo end", within(milliseconds(5000))).out, "end\n"); }

TEST(Process, ASignalIsTold) {
  const auto result = shell("kill -TERM $$");
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(result.ending(), "killed by signal 15");
}

TEST(Process, EnvironmentIsInheritedAndChanged) {
  ::setenv("ENVGEN_PROCESS_KEPT", "kept", 1);
  ::setenv("ENVGEN_PROCESS_CHANGED", "before", 1);
  ProcessLimits limits;
  limits.environment = {"ENVGEN_PROCESS_CHANGED=after", "ENVGEN_PROCESS_NEW=a=b"};
  EXPECT_EQ(shell("echo $ENVGEN_PROCESS_KEPT $ENVGEN_PROCESS_CHANGED $ENVGEN_PROCESS_NEW", limits).out, "kept after a=b\n");
  ::unsetenv("ENVGEN_PROCESS_KEPT");
  ::unsetenv("ENVGEN_PROCESS_CHANGED");
}

TEST(Process, WhatIsTooMuchIsDroppedAndTheProgramStillEnds) {
  ProcessLimits limits;
  limits.largest_out = 1000;
  limits.largest_err = 10;
  const auto result = shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; exit 5", limits);
  EXPECT_EQ(result.out.size(), 1000u);
  EXPECT_EQ(result.err.size(), 10u);
  EXPECT_TRUE(result.out_cut);
  EXPECT_TRUE(result.err_cut);
  EXPECT_EQ(result.exit_status, 5);
  EXPECT_FALSE(shell("echo short").out_cut);
  limits.largest_out = 2;
  EXPECT_FALSE(shell("printf 12", limits).out_cut);

  limits.end_when_full = true;
  limits.timeout = std::chrono::minutes(1);
  const auto endless = shell("yes", limits);
  EXPECT_TRUE(endless.out_cut);
  EXPECT_FALSE(endless.timed_out);
  EXPECT_TRUE(endless.full);
  EXPECT_EQ(endless.ending(), "too much output");
}

TEST(Process, ItsErrorOutputIsHeardAsItComes) {
  std::string heard;
  const auto ran = run_process(
      {"sh", "-c", "echo a >&2; echo out; echo bcd >&2"},
      {.timeout = milliseconds(5000), .largest_err = 3, .hears_err = [&](std::string_view piece) { heard += piece; }});
  ASSERT_TRUE(ran);
  EXPECT_EQ(heard, "a\nbcd\n");
  EXPECT_EQ(ran->err, "a\nb");
}

TEST(Process, ItsOutputIsHeardInPlaceOfBeingKept) {
  std::size_t heard = 0;
  const auto ran = run_process(
      {"sh", "-c", "head -c 3000000 /dev/zero; exit 3"},
      {.timeout = milliseconds(20'000), .largest_out = 3, .end_when_full = true, .hears_out = [&](std::string_view piece) {
         heard += piece.size();
       }});
  ASSERT_TRUE(ran);
  EXPECT_EQ(heard, 3'000'000U);
  EXPECT_EQ(ran->out, "");
  EXPECT_FALSE(ran->out_cut);
  EXPECT_EQ(ran->ending(), "exit status 3");
}

TEST(Process, ALateOneIsKilledWithAllItStarted) {
  const auto file = std::filesystem::temp_directory_path() / ("envgen-process-" + std::to_string(::getpid()));
  const auto started = std::chrono::steady_clock::now();
  const auto result = shell("echo begun; (sleep 3; touch '" + file.string() + "') & sleep 60", within(milliseconds(2000)));
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(30));
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(result.out, "begun\n");
  EXPECT_EQ(result.ending(), "timed out after 2 s");
  ::usleep(1500 * 1000);
  EXPECT_FALSE(std::filesystem::exists(file)) << "its child outlived it";
}

TEST(Process, OneThatClosesItsStreamsIsStillTimed) {
  const auto result = shell("exec >&- 2>&-; sleep 60", within(milliseconds(200)));
  EXPECT_TRUE(result.timed_out);
}

TEST(Process, OneThatWritesWithoutPauseIsStillTimed) { EXPECT_TRUE(shell("yes", within(milliseconds(200))).timed_out); }

TEST(Process, ABackgroundChildDoesNotHoldTheCallUp) {
  const auto started = std::chrono::steady_clock::now();
  const auto result = shell("sleep 20 & echo done");
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(15));
  EXPECT_EQ(result.out, "done\n");
  EXPECT_TRUE(result.ok());
}

TEST(Process, BrokenPipesEndTheChildAlthoughWeIgnoreThem) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(shell("yes | head -n 1", within(milliseconds(5000))).out, "y\n");
  ::signal(SIGPIPE, before);
}

TEST(Process, DescriptorsDoNotLeak) {
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto before = count();
  for (int i = 0; i < 20; ++i) shell("exit 0");
  (void)run_process({"envgen-no-such-program"});
  EXPECT_EQ(count(), before);
  // What whoever runs this test left open is inherited by every program; beyond it there must be nothing.
  std::string plain(16, '\0');
  FILE* other = ::popen("ls /proc/self/fd | wc -l", "r");
  ASSERT_NE(other, nullptr);
  plain.resize(std::fread(plain.data(), 1, plain.size(), other));
  ::pclose(other);
  EXPECT_EQ(shell("ls /proc/self/fd | wc -l").out, plain);
}

TEST(Process, AnErrorOfAnEarlierCallIsNone) {
  for (const int old : {EINTR, EAGAIN}) {
    errno = old;
    const auto result = run_process({"/bin/true"}, within(milliseconds(5000)));
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->ok()) << old;
  }
}

TEST(Process, AVariableIsReplacedByItsWholeName) {
  ::setenv("ENVGEN_PROCESS", "short", 1);
  ::setenv("ENVGEN_PROCESS_LONGER", "long", 1);
  ProcessLimits limits;
  limits.environment = {"ENVGEN_PROCESS=changed"};
  EXPECT_EQ(shell("echo $ENVGEN_PROCESS $ENVGEN_PROCESS_LONGER", limits).out, "changed long\n");
  limits.environment = {"ENVGEN_PROCESS_LONGER=changed"};
  EXPECT_EQ(shell("echo $ENVGEN_PROCESS $ENVGEN_PROCESS_LONGER; env | grep -c ENVGEN_PROCESS_LONGER", limits).out,
            "short changed\n1\n");
  ::unsetenv("ENVGEN_PROCESS");
  ::unsetenv("ENVGEN_PROCESS_LONGER");
}

/// As cron and some supervisors start programs.
TEST(Process, StreamsOfOursThatAreClosedAreNotMixedUp) {
  const auto child = ::fork();
  if (child == 0) {
    for (const int stream : {0, 1, 2}) ::close(stream);
    const auto result = run_process({"sh", "-c", "echo out; echo err >&2"}, within(milliseconds(5000)));
    ::_exit(result && result->out == "out\n" && result->err == "err\n" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Process, WhatCannotBeStarted) {
  const auto absent = run_process({"envgen-no-such-program"});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().message, "cannot start 'envgen-no-such-program': No such file or directory");
  EXPECT_EQ(absent.error().code, ErrorCode::missing);
  EXPECT_EQ(run_process({"/etc/passwd"}).error().message, "cannot start '/etc/passwd': Permission denied");
  EXPECT_EQ(run_process({}).error().message, "cannot start a program: its name is missing");
  EXPECT_EQ(run_process({""}).error().message, "cannot start a program: its name is missing");
  EXPECT_EQ(run_process({"sh", std::string("a\0b", 3)}).error().message, "cannot start 'sh': an argument contains a NUL byte");
  EXPECT_EQ(run_process({}).error().code, ErrorCode::internal);
  ProcessLimits limits;
  limits.environment = {"PATH"};
  EXPECT_EQ(run_process({"sh"}, limits).error().message, "cannot start 'sh': 'PATH' is not NAME=value");
  limits.environment = {"=x"};
  EXPECT_EQ(run_process({"sh"}, limits).error().message, "cannot start 'sh': '=x' is not NAME=value");
  limits.environment = {std::string("A=\0", 3)};
  EXPECT_EQ(run_process({"sh"}, limits).error().message, "cannot start 'sh': an argument contains a NUL byte");
}

TEST(Process, AScriptWithoutAnInterpreterIsNotGivenToAShell) {
  const auto file = std::filesystem::temp_directory_path() / ("envgen-script-" + std::to_string(::getpid()));
  std::ofstream(file) << "echo a shell ran this\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  const auto result = run_process({file.string()});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "cannot start '" + file.string() + "': Exec format error");
  std::filesystem::remove(file);
}

TEST(Process, ChildrenThatTheSystemForgets) {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  const auto result = run_process({"true"});
  ::signal(SIGCHLD, before);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "cannot determine how 'true' ended: No child processes");
}

}  // namespace
}  // namespace envgen::util
