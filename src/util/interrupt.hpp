#pragma once

namespace envgen::util {

/// While one lives, SIGINT, SIGTERM and SIGHUP end nothing: they are remembered, and what waits for a process gives it up and
/// returns. So what was begun (a program, a file, a container) can be ended in order. What was set before comes back after the
/// outermost of them.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
};

/// True after one of these signals came while a scope lived.
bool interrupted();

}  // namespace envgen::util
