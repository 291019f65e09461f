#include "helper_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "failure.hpp"

namespace envgen::bench {

bool read_exactly(int descriptor, void* data, std::size_t bytes) {
  auto* to = static_cast<char*>(data);
  while (bytes > 0) {
    const auto count = ::read(descriptor, to, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count;
    bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

bool write_exactly(int descriptor, const void* data, std::size_t bytes) {
  const auto* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const auto count = ::write(descriptor, from, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    from += count;
    bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

HelperProcess::HelperProcess(const std::function<int(int, int)>& body) {
  std::array<int, 2> from{};
  std::array<int, 2> to{};
  if (::pipe2(from.data(), O_CLOEXEC) != 0) throw TestFailed(system_failure("", "pipe2", "cannot create a pipe", errno));
  if (::pipe2(to.data(), O_CLOEXEC) != 0) throw TestFailed(system_failure("", "pipe2", "cannot create a pipe", errno));
  ::signal(SIGPIPE, SIG_IGN);  // a helper that died is told by what it does not answer
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) throw TestFailed(system_failure("", "fork", "cannot start a process", errno));
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::close(from[0]);
    ::close(to[1]);
    ::_exit(body(to[0], from[1]));
  }
  ::close(from[1]);
  ::close(to[0]);
  read_from_ = from[0];
  write_to_ = to[1];
}

HelperProcess::HelperProcess(HelperProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      read_from_(std::exchange(other.read_from_, -1)),
      write_to_(std::exchange(other.write_to_, -1)) {}

HelperProcess::~HelperProcess() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    wait();
  }
  if (read_from_ >= 0) ::close(read_from_);
  if (write_to_ >= 0) ::close(write_to_);
}

bool HelperProcess::receive(void* data, std::size_t bytes) const { return read_exactly(read_from_, data, bytes); }
bool HelperProcess::send(const void* data, std::size_t bytes) const { return write_exactly(write_to_, data, bytes); }

int HelperProcess::wait() {
  int state = 0;
  while (::waitpid(process_, &state, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

}  // namespace envgen::bench
