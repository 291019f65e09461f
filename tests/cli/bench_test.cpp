// `envgen bench` is envgen-bench: its arguments, its end. And the line that tells what is being done, which only a terminal gets.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile_words.hpp"
#include "support/engine_double.hpp"
#include "support/log_commands.hpp"
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
  EXPECT_EQ(ran.err, "envgen: " + bench.file() + ": cannot run it: No such file or directory\n");
  fs::permissions(bench.file(), fs::perms::owner_all);
  ran = run({"bench"});
  EXPECT_EQ(ran.exit_status, 6);
  EXPECT_EQ(ran.err,
            "envgen: ENVGEN_BENCH: '" + bench.file() + "' is not executable by all users\n  chmod 755 " + bench.file() + "\n");
}

TEST(Bench, ThatIsNotThere) {
  const auto alone = *util::TemporaryFolder::make("envgen-without-bench");
  const auto tool = (alone.path() / "envgen").string();
  fs::copy_file(ENVGEN_TOOL, tool);
  const auto ran = util::run_process({tool, "bench", "--bench", "/bin/true"}, {});
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->exit_status, 6);
  EXPECT_THAT(ran->err, testing::MatchesRegex("envgen: envgen-bench for '[a-z0-9_]+' was not found\n"
                                              "  envgen's package for .*\n"
                                              "  in a checkout of envgen, scripts/bench.sh builds it\n"
                                              "  set ENVGEN_BENCH to its path\n"));
}

/// The options of envgen-bench that take a value, hidden ones too, as it tells them itself.
Words options_of_bench() {
  Words options{"--then", "--report-nonce", "--library-path", "--touch", "--hold-ipc", "--scale"};
  std::istringstream help(run({"bench", "--", "--help"}).out);
  for (std::string line; std::getline(help, line);) {
    const auto at = line.find("--");
    if (at == std::string::npos || line.find_first_not_of(" ") > 6) continue;
    const auto name = line.substr(at, line.find_first_of(" ,=", at) - at);
    if (name != "--help" && name != "--version" && name != "--list") options.push_back(name);
  }
  return options;
}

TEST(Bench, ShowsNeitherASecretNorWhatATerminalObeys) {
  ::setenv("ENVGEN_BENCH", BENCH_PROGRAM, 1);
  const auto folder = *util::TemporaryFolder::make("envgen-bench-words");  // some are names of files to write
  const auto before = fs::current_path();
  fs::current_path(folder.path());
  const auto options = options_of_bench();
  EXPECT_GE(options.size(), 20U) << testing::PrintToString(options);
  auto texts = test::secret_texts();
  const auto hostile = test::hostile_texts();
  texts.insert(texts.end(), hostile.begin(), hostile.end());
  const auto lines_saying = [&](const std::string& text) {
    std::vector<Words> lines{
        {"bench", "--no-such-option=" + text}, {"bench", text}, {"bench", "--tests=ipc", "--output=" + text + "/x"}};
    for (const auto& option : options) lines.push_back({"bench", "--tests=ipc", "--profile=smoke", option + "=" + text});
    return lines;
  };
  test::each_due(texts, lines_saying, [](const Words& words) {
    const auto ran = run(words);
    for (const auto& said : {ran.out, ran.err}) {
      EXPECT_EQ(test::unprintable(said), "") << testing::PrintToString(words) << "\n" << said;
      EXPECT_EQ(test::command_in(said), "") << testing::PrintToString(words) << "\n" << said;
      EXPECT_THAT(said, testing::Not(HasSubstr(test::marker))) << testing::PrintToString(words);
    }
  });
  const auto ran = run({"bench", "--tests=\x1b[2J::x"});
  EXPECT_EQ(ran.exit_status, 2);
  EXPECT_EQ(ran.err, "envgen-bench: --tests: unknown test '\\x1b[2J::x' (--list shows them)\n");
  fs::current_path(before);
  ::unsetenv("ENVGEN_BENCH");
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
  EXPECT_THAT(text, HasSubstr("examining the image's files ...\r\x1b[K"));
  EXPECT_EQ(run(words).err, "");
}

}  // namespace
}  // namespace envgen
