#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace envgen::container {

/// Which process a container belongs to, as its label says: the machine with its namespace of pids, the pid, and when the process
/// began, so that another one that got its pid later is not taken for it.
struct Owner {
  std::string machine;
  long pid = 0;
  std::string began;  ///< in ticks since the machine started

  static Owner self();
  /// None: the label is not ours.
  static std::optional<Owner> parse(std::string_view label);
  std::string label() const;
  /// True only where that is certain: a process of this machine that is no longer there.
  bool dead() const;
};

}  // namespace envgen::container
