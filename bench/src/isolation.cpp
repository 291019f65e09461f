#include "isolation.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

namespace envgen::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_sent = 64U << 20;
constexpr std::size_t kept_output = 4096;
constexpr double patience_after_kill = 2;  // seconds; a process in an uninterruptible call is given up then

volatile std::sig_atomic_t caught_signal = 0;
void note_signal(int signal) { caught_signal = signal; }

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
  void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
};

/// Reads what is there without waiting.
void drain(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto count = ::read(descriptor, buffer.data(), buffer.size());
    if (count <= 0) return;
    if (text.size() < most_sent) text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void keep_tail(std::string& text) {
  if (text.size() > kept_output) text.erase(0, text.size() - kept_output);
}

[[noreturn]] void child_main(const std::function<void(int)>& body, Pipe& result, Pipe& output, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent was gone before it was asked for
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_DFL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output.write_end, STDOUT_FILENO);
  ::dup2(output.write_end, STDERR_FILENO);
  body(result.write_end);
  ::_exit(0);  // no destructors: CUDA libraries hang in theirs at times
}

/// One child, from its start to its end.
class Watch {
 public:
  Watch(pid_t child, Pipe& result, Pipe& output) : child_(child), result_(result), output_(output) {
    outcome_.child = child;
    for (const int end : {result.read_end, output.read_end}) ::fcntl(end, F_SETFL, O_NONBLOCK);
  }

  Outcome until_end(double timeout_seconds) {
    const auto start = Clock::now();
    while (!ended()) {
      if (interrupted()) {
        finish_by_kill(Outcome::End::interrupted);
        break;
      }
      if (seconds_since(start) > timeout_seconds) {
        finish_by_kill(Outcome::End::timed_out);
        break;
      }
      listen();
    }
    // Whatever it started.
    ::kill(-child_, SIGKILL);
    read_pipes();
    outcome_.seconds = seconds_since(start);
    return std::move(outcome_);
  }

 private:
  void read_pipes() {
    drain(result_.read_end, outcome_.sent);
    drain(output_.read_end, outcome_.output);
    keep_tail(outcome_.output);
  }

  void listen() {
    std::array<pollfd, 2> waiting{pollfd{result_.read_end, POLLIN, 0}, pollfd{output_.read_end, POLLIN, 0}};
    // A child that closed both ends would make poll return at once, again and again.
    if (::poll(waiting.data(), waiting.size(), 5) > 0 && (((waiting[0].revents | waiting[1].revents) & POLLIN) == 0))
      ::usleep(1000);
    read_pipes();
  }

  bool ended() {
    int state = 0;
    if (::waitpid(child_, &state, WNOHANG) != child_) return false;
    if (WIFSIGNALED(state)) {
      outcome_.end = Outcome::End::crashed;
      outcome_.signal = WTERMSIG(state);
    } else if (WEXITSTATUS(state) != 0) {
      outcome_.end = Outcome::End::exited;
      outcome_.exit_status = WEXITSTATUS(state);
    }
    return true;
  }

  void finish_by_kill(Outcome::End end) {
    ::kill(-child_, SIGKILL);
    ::kill(child_, SIGKILL);  // it may not have its group yet
    const auto killed = Clock::now();
    while (!ended()) {
      if (seconds_since(killed) > patience_after_kill) {
        outcome_.end = end == Outcome::End::timed_out ? Outcome::End::stuck : end;
        return;
      }
      ::usleep(2000);
    }
    outcome_.end = end;
    outcome_.signal = 0;
  }

  pid_t child_;
  Pipe& result_;
  Pipe& output_;
  Outcome outcome_;
};

}  // namespace

Outcome run_isolated(const std::function<void(int)>& body, double timeout_seconds) {
  Pipe result;
  Pipe output;
  Outcome failed;
  failed.end = Outcome::End::not_started;
  if (!result.open() || !output.open()) {
    failed.error_number = errno;
    return failed;
  }
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    failed.error_number = errno;
    return failed;
  }
  if (child == 0) child_main(body, result, output, parent);
  ::setpgid(child, child);  // here too: whichever of the two comes first
  result.close_end(result.write_end);
  output.close_end(output.write_end);
  return Watch(child, result, output).until_end(timeout_seconds);
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);  // where whoever started this ignores it, nobody is told how a child ended
}

std::optional<int> interrupted() {
  return caught_signal != 0 ? std::optional<int>(static_cast<int>(caught_signal)) : std::nullopt;
}

}  // namespace envgen::bench
