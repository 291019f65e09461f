// `envgen bench` is envgen-bench: its arguments, its end. And the line that tells what is being done, which only a terminal gets.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/engine_double.hpp"
#include "util/process.hpp"
#include "util/temporary_folder.hpp"

namespace envgen {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Words = std::vector<std::string>;

/// envgen-bench as a script that does this.
class BenchDouble {
 public:
  explicit BenchDouble(const std::string& script) {
    std::ofstream(file()) << script;
    fs::permissions(file(), fs::perms::owner_all | fs::perms::others_exec);
    ::setenv("ENVGEN_BENCH", file().c_str(), 1);
  }
  ~BenchDouble() { ::unsetenv("ENVGEN_BENCH"); }
  BenchDouble(const BenchDouble&) = delete;
  BenchDouble& operator=(const BenchDouble&) = delete;
  std::string file() const { return (folder_.path() / "envgen-bench").string(); }

 private:
  util::TemporaryFolder folder_ = *util::TemporaryFolder::make("envgen-bench-double");
};

util::ProcessResult run(Words words) {
  words.insert(words.begin(), ENVGEN_TOOL);
  auto ran = util::run_process(words, {});
  EXPECT_TRUE(ran) << ran.error().message;
  return ran ? std::move(*ran) : util::ProcessResult{};
}

/// What envgen prints on a terminal, both outputs together.
std::string on_terminal(Words words) {
  words.insert(words.begin(), ENVGEN_TOOL);
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::execv(pointers.front(), pointers.data());
    ::_exit(127);
  }
  std::string text;
  char buffer[4096];
  // The end of the last program on it is an error (EIO) to who reads.
  for (ssize_t count = 0; (count = ::read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  ::close(terminal);
  ::waitpid(child, nullptr, 0);
  return text;
}

TEST(Bench, IsGivenItsArgumentsAndItsEndIsEnvgens) {
  const BenchDouble bench("#!/bin/sh\nprintf '<%s>' \"$@\"\necho said >&2\nexit 5\n");
  const auto ran = run({"bench", "--profile", "smoke", "--format", "json", "-o", "a b.json", "--json", "--version"});
  EXPECT_EQ(ran.exit_status, 5);
  EXPECT_EQ(ran.out, "<--profile><smoke><--format><json><-o><a b.json><--json><--version>");
  EXPECT_EQ(ran.err, "said\n");
  EXPECT_EQ(run({"bench", "--", "--help"}).out, "<--help>");
  EXPECT_EQ(run({"bench"}).out, "<>");
}

TEST(Bench, ASignalThatEndsItEndsEnvgen) {
  const BenchDouble bench("#!/bin/sh\nkill -TERM $$\n");
  EXPECT_EQ(run({"bench"}).signal, SIGTERM);
}

TEST(Bench, ThatCannotBeRun) {
  const BenchDouble bench("#!/nonexistent/interpreter\n");
  auto ran = run({"bench"});
  EXPECT_EQ(ran.exit_status, 6);
  EXPECT_EQ(ran.err, "envgen: " + bench.file() + ": it cannot be run: No such file or directory\n");
  fs::permissions(bench.file(), fs::perms::owner_all);
  ran = run({"bench"});
  EXPECT_EQ(ran.exit_status, 6);
  EXPECT_EQ(ran.err,
            "envgen: ENVGEN_BENCH: '" + bench.file() + "' cannot be executed by every user\n  chmod 755 " + bench.file() + "\n");
}

TEST(Progress, OfBenchOnATerminal) {
  ::setenv("ENVGEN_BENCH", BENCH_PROGRAM, 1);
  const Words words{"bench", "--tests=ipc", "--library=libcuda=/nonexistent/libcuda.so.1"};
  EXPECT_THAT(on_terminal(words), testing::StartsWith("\r\x1b[Kprobe ...\r\x1b[Kipc ...\r\x1b[K"));
  EXPECT_EQ(run(words).err, "");
  ::unsetenv("ENVGEN_BENCH");
}

TEST(Progress, OfValidateOnATerminal) {
  const test::EngineDouble docker;
  docker.all_well();
  docker.answer("start", R"({"python": "3.11.2", "framework": "", "error": ""})");
  docker.answer("start.1", "", 1, "envgen-bench: running kernel\n");
  const BenchDouble bench("a double");
  const Words words{"validate", "mine"};
  const auto text = on_terminal(words);
  EXPECT_THAT(text, testing::StartsWith("\r\x1b[K"));
  EXPECT_THAT(text, HasSubstr("\r\x1b[Kenvgen-bench in the container: kernel ..."));
  EXPECT_THAT(text, HasSubstr("looking at the image's files ...\r\x1b[K"));
  EXPECT_EQ(run(words).err, "");
}

}  // namespace
}  // namespace envgen
