#pragma once

#include <chrono>
#include <string>

#include "model/error.hpp"

namespace envgen::util {

/// While one lives, SIGINT, SIGTERM and SIGHUP end nothing: they are remembered, and what waits for a process gives it up and
/// returns. So what was begun (a program, a file, a container) can be ended in order. What was set before comes back after the
/// outermost of them, and the signals are forgotten; one that came too late for anybody to tell of it is raised again then.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
};

/// True after one of these signals came to the scope that lives.
bool interrupted();

/// The first of these signals that came, to a scope that lives or to the last one that any came to. 0: none ever came.
int interrupting_signal();

/// The error of what a signal ended, which tells of that signal.
tl::unexpected<Error> fail_interrupted(std::string message, std::string origin = {});

/// How long work may still take that an interrupt does not end at once: `grace` since the first signal, and no longer than two
/// seconds since the second; nothing is left after the third. Before any: all of it.
std::chrono::milliseconds left_of(std::chrono::milliseconds grace);

}  // namespace envgen::util
