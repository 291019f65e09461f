#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace envgen::bench {

/// How a body that ran in a child process ended.
struct Outcome {
  enum class End {
    finished,     ///< `sent` holds all that it sent
    crashed,      ///< by `signal`
    exited,       ///< with `exit_status`, other than 0
    timed_out,    ///< killed
    stuck,        ///< killed, and the kernel has not let go of it: it sleeps without being interruptible
    interrupted,  ///< killed, because this program was told to end
    not_started,  ///< the system could not make the process
  };
  End end = End::finished;
  int signal = 0;
  int exit_status = 0;
  int error_number = 0;  ///< of not_started
  pid_t child = 0;
  double seconds = 0;
  std::string sent;    ///< what the body wrote to its descriptor
  std::string output;  ///< the last 4 KiB of its standard output and error: CUDA libraries print there
};

/// Runs `body` in a forked child of its own process group, for `timeout_seconds` at most, and waits for its end. The child gets a
/// descriptor to write its result to; its standard input is empty and its output is kept aside. Whatever the child started is
/// killed with it. The child dies with this process, and leaves no core file.
Outcome run_isolated(const std::function<void(int descriptor)>& body, double timeout_seconds);

/// From here on SIGINT and SIGTERM do not end this process: they end the child, and `interrupted` says so.
void catch_interrupts();
/// The signal that came, if one did.
std::optional<int> interrupted();

}  // namespace envgen::bench
