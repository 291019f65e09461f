#include "program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <utility>

namespace envgen::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

[[noreturn]] void become(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment,
                         int out, int err) {
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  std::string program = BENCH_PROGRAM;
  argv.push_back(program.data());
  std::vector<std::string> copies = arguments;
  for (auto& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

}  // namespace

Json Ran::row(const std::string& id, int device) const {
  const auto report = json();
  for (const auto& row : report.at("tests")) {
    if (row.at("id") == id && row.at("device") == (device < 0 ? Json() : Json(device))) return row;
  }
  return {};
}

Ran run_bench(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment,
              double signal_after) {
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0) return {};
  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child == 0) become(arguments, environment, out[1], err[1]);
  ::close(out[1]);
  ::close(err[1]);
  Ran ran;
  std::array<pollfd, 2> waiting{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
  std::array<std::string*, 2> texts{&ran.out, &ran.err};
  int open = 2;
  while (open > 0) {
    ::poll(waiting.data(), waiting.size(), 10);
    if (signal_after > 0 && since(start) > signal_after) {
      ::kill(child, SIGINT);
      signal_after = 0;
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      std::array<char, 4096> buffer;
      const auto count = ::read(waiting[i].fd, buffer.data(), buffer.size());
      if (count > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      } else {
        ::close(waiting[i].fd);
        waiting[i].fd = -1;
        --open;
      }
    }
  }
  int state = 0;
  ::waitpid(child, &state, 0);
  ran.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  ran.seconds = since(start);
  return ran;
}

std::vector<std::string> on_doubles(const std::vector<std::string>& more) {
  const std::string folder = BENCH_DOUBLES;
  std::vector<std::string> arguments{"--scale", "512", "--format", "json"};
  for (const auto& [name, file] : {std::pair{"libcuda", "libcuda.so.1"}, std::pair{"libcudart", "libcudart.so.12"},
                                   std::pair{"libnvidia-ml", "libnvidia-ml.so.1"}, std::pair{"libcublas", "libcublas.so.12"},
                                   std::pair{"libcublasLt", "libcublasLt.so.12"}, std::pair{"libnccl", "libnccl.so.2"}}) {
    arguments.emplace_back("--library");
    arguments.push_back(std::string(name) + "=" + folder + "/" + file);
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace envgen::bench
