#pragma once

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace envgen::test {

/// A program that runs beside the test, so that signals can be sent to it. It is deaf to none, whatever this test inherited, and
/// what it prints goes into files of `folder`.
class RunningTool {
 public:
  RunningTool(std::vector<std::string> words, const std::filesystem::path& folder) : folder_(folder) {
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    constexpr int written = O_WRONLY | O_CREAT | O_TRUNC;
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, (folder_ / "stdout").c_str(), written, 0600);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (folder_ / "stderr").c_str(), written, 0600);
    sigset_t heard;
    sigemptyset(&heard);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&heard, signal);
    ::posix_spawnattr_setsigdefault(&attributes, &heard);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (::posix_spawn(&pid_, words.front().c_str(), &actions, &attributes, arguments.data(), environ) != 0) pid_ = -1;
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  ~RunningTool() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  RunningTool(const RunningTool&) = delete;
  RunningTool& operator=(const RunningTool&) = delete;

  void signal(int number) const {
    if (pid_ > 0) ::kill(pid_, number);
  }
  /// Its exit status, 1000 more than the signal that killed it; none: it goes on.
  std::optional<int> wait(std::chrono::milliseconds longest) {
    const auto until = std::chrono::steady_clock::now() + longest;
    for (; pid_ > 0; std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
      int status = 0;
      if (::waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
      }
      if (std::chrono::steady_clock::now() > until) return std::nullopt;
    }
    return std::nullopt;
  }
  std::string out() const { return text("stdout"); }
  std::string err() const { return text("stderr"); }

 private:
  std::string text(const char* name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
  pid_t pid_ = -1;
};

}  // namespace envgen::test
