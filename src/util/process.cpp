#include "util/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/spelling.hpp"
#include "util/descriptor.hpp"
#include "util/interrupt.hpp"

extern char** environ;

namespace envgen::util {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

std::string system_text(int number) { return std::error_code(number, std::generic_category()).message(); }

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Both ends at 3 or above, so that making one of them the child's 1 or 2 cannot overwrite the other, even when envgen itself
/// was started with its standard streams closed.
Expected<Pipe> open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(ErrorCode::internal, "cannot open a pipe: " + system_text(errno));
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  for (Descriptor* end : {&pipe.read, &pipe.write}) {
    constexpr int first_free = 3;
    if (end->get() >= first_free) continue;
    Descriptor moved(::fcntl(end->get(), F_DUPFD_CLOEXEC, first_free));
    if (moved.get() < 0) return fail(ErrorCode::internal, "cannot open a pipe: " + system_text(errno));
    *end = std::move(moved);
  }
  // Only the reading end: the child must find its output blocking, as every program expects it.
  if (::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK) != 0) {
    return fail(ErrorCode::internal, "cannot open a pipe: " + system_text(errno));
  }
  return pipe;
}

/// posix_spawn's two parameter blocks, freed together.
class SpawnSettings {
 public:
  SpawnSettings() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }

  /// 0 or the first errno.
  int prepare(int out, int err) {
    sigset_t none;
    sigset_t defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);  // a child that inherits "ignore" would write into a closed pipe for ever
    sigaddset(&defaults, SIGXFSZ);
    constexpr short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    for (const int result :
         {::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
          ::posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO),
          ::posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO), ::posix_spawnattr_setpgroup(&attributes_, 0),
          ::posix_spawnattr_setsigmask(&attributes_, &none), ::posix_spawnattr_setsigdefault(&attributes_, &defaults),
          ::posix_spawnattr_setflags(&attributes_, flags)}) {
      if (result != 0) return result;
    }
    return 0;
  }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view inherited(*entry);
    const bool replaced = std::any_of(changes.begin(), changes.end(), [&](const std::string& change) {
      return inherited.starts_with(std::string_view(change).substr(0, change.find('=') + 1));
    });
    if (!replaced) result.emplace_back(inherited);
  }
  result.insert(result.end(), changes.begin(), changes.end());
  return result;
}

/// One of the child's streams.
struct Stream {
  Descriptor descriptor;
  std::string* text;
  bool* cut;
  std::size_t largest;
  const std::function<void(std::string_view)>& hears;
  bool keeps;

  bool open() const { return descriptor.get() >= 0; }

  /// Reads what is there now. Closes at the end and at an error, which for a pipe is the end too. Stops after `most` bytes,
  /// so that a child that writes without pause cannot keep the caller from looking at the clock.
  void drain() {
    constexpr std::size_t most = 1024 * 1024;
    std::array<char, 16 * 1024> buffer{};
    for (std::size_t total = 0; open() && total < most;) {
      const auto count = ::read(descriptor.get(), buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count <= 0) {
        descriptor.close();
        return;
      }
      const auto bytes = static_cast<std::size_t>(count);
      const auto kept = keeps ? std::min(bytes, largest - text->size()) : bytes;
      if (keeps) text->append(buffer.data(), kept);
      if (hears) hears(std::string_view(buffer.data(), bytes));
      if (kept < bytes) *cut = true;
      total += bytes;
    }
  }
};

/// An interrupt came, and the time that it leaves is over.
bool over(milliseconds grace) { return interrupted() && left_of(grace).count() == 0; }

/// The child once it runs: waited for exactly once, killed where it must be.
class Child {
 public:
  Child(pid_t pid, std::string name, milliseconds grace) : pid_(pid), name_(std::move(name)), grace_(grace) {}

  /// True once it has ended; does not wait.
  Expected<bool> ended() {
    if (status_) return true;
    int status = 0;
    pid_t got = 0;
    do {
      got = ::waitpid(pid_, &status, WNOHANG);
    } while (got < 0 && errno == EINTR);
    // Happens where whoever started envgen ignores SIGCHLD: the system then forgets how children ended.
    if (got < 0) return fail(ErrorCode::internal, fmt::format("cannot determine how {} ended: {}", name_, system_text(errno)));
    if (got == pid_) status_ = status;
    return status_.has_value();
  }

  /// Waits for its end, at most until `until` or until a signal comes. True when it has ended.
  Expected<bool> wait_until(Clock::time_point until) {
    for (auto pause = std::chrono::microseconds(100);; pause = std::min(pause * 2, std::chrono::microseconds(10000))) {
      auto done = ended();
      if (!done || *done || Clock::now() >= until || (given_up() && !killed_)) return done;
      std::this_thread::sleep_for(pause);
    }
  }

  /// An interrupt came that ends it.
  bool given_up() const { return over(grace_); }

  /// The pid stays the child's until it was waited for, so this cannot hit a stranger.
  void kill() {
    if (!status_) ::kill(-pid_, SIGKILL);
    killed_ = true;
  }

  void describe(ProcessResult& result) const {
    if (!status_) {
      result.signal = SIGKILL;  // sent, but the kernel holds it back
    } else if (WIFSIGNALED(*status_)) {
      result.signal = WTERMSIG(*status_);
    } else {
      result.exit_status = WEXITSTATUS(*status_);
    }
  }

 private:
  pid_t pid_;
  std::string name_;
  milliseconds grace_;
  std::optional<int> status_;
  bool killed_ = false;
};

}  // namespace

std::string ProcessResult::ending() const {
  if (full) return "too much output";
  if (timed_out) return fmt::format("timed out after {:g} s", static_cast<double>(timeout.count()) / 1000.0);
  if (signal != 0) return fmt::format("killed by signal {}", signal);
  return fmt::format("exit status {}", exit_status);
}

Expected<ProcessResult> run_process(const std::vector<std::string>& argv, const ProcessLimits& limits) {
  if (argv.empty() || argv.front().empty()) return fail(ErrorCode::internal, "cannot start a program: its name is missing");
  const auto name = in_quotes(argv.front());
  for (const auto* texts : {&argv, &limits.environment}) {
    for (const auto& text : *texts) {
      if (text.find('\0') == std::string::npos) continue;
      return fail(ErrorCode::internal, fmt::format("cannot start {}: an argument contains a NUL byte", name));
    }
  }

  for (const auto& change : limits.environment) {
    if (change.find('=') != std::string::npos && change.front() != '=') continue;
    return fail(ErrorCode::internal, fmt::format("cannot start {}: {} is not NAME=value", name, in_quotes(change)));
  }

  if (over(limits.grace)) return fail_interrupted(fmt::format("interrupted; {} was not started", name));
  auto out = open_pipe();
  if (!out) return tl::unexpected(out.error());
  auto err = open_pipe();
  if (!err) return tl::unexpected(err.error());
  SpawnSettings settings;
  if (const int result = settings.prepare(out->write.get(), err->write.get()); result != 0) {
    return fail(ErrorCode::internal, fmt::format("cannot start {}: {}", name, system_text(result)));
  }
  auto arguments = argv;
  auto environment = environment_with(limits.environment);
  const auto started_at = Clock::now();
  pid_t pid{};
  const int spawned = ::posix_spawnp(&pid, argv.front().c_str(), settings.actions(), settings.attributes(),
                                     pointers(arguments).data(), pointers(environment).data());
  if (spawned != 0) return fail(ErrorCode::missing, fmt::format("cannot start {}: {}", name, system_text(spawned)));
  out->write.close();  // else the end of the child's output would never be seen
  err->write.close();

  ProcessResult result;
  result.timeout = limits.timeout;
  Child child(pid, name, limits.grace);
  const auto deadline = limits.timeout.count() > 0 ? started_at + limits.timeout : Clock::time_point::max();
  std::array<Stream, 2> streams{
      Stream{std::move(out->read), &result.out, &result.out_cut, limits.largest_out, limits.hears_out, !limits.hears_out},
      Stream{std::move(err->read), &result.err, &result.err_cut, limits.largest_err, limits.hears_err, true}};
  const auto full = [&] { return limits.end_when_full && result.out_cut; };
  while ((streams[0].open() || streams[1].open()) && Clock::now() < deadline && !child.given_up() && !full()) {
    std::array<pollfd, 2> waiting{pollfd{streams[0].descriptor.get(), POLLIN, 0}, pollfd{streams[1].descriptor.get(), POLLIN, 0}};
    constexpr int slice_ms = 20;  // how late the end of a child is seen whose own children keep its output open
    const int ready = ::poll(waiting.data(), waiting.size(), slice_ms);
    bool over = false;
    if (ready == 0) {
      auto ended = child.ended();
      if (!ended) return tl::unexpected(ended.error());
      over = *ended;
    }
    for (auto& stream : streams) stream.drain();
    if (over) break;
  }

  auto ended = child.wait_until(full() ? Clock::now() : deadline);
  if (!ended) return tl::unexpected(ended.error());
  if (!*ended) {
    (full() ? result.full : result.timed_out) = true;
    child.kill();
    constexpr milliseconds patience{1000};
    ended = child.wait_until(Clock::now() + patience);
    if (!ended) return tl::unexpected(ended.error());
    if (child.given_up()) return fail_interrupted(fmt::format("interrupted; {} was stopped", name));
    for (auto& stream : streams) stream.drain();
  }
  child.describe(result);
  return result;
}

}  // namespace envgen::util
