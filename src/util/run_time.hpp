#pragma once

#include <algorithm>
#include <chrono>

namespace envgen::util {

/// The time that everything which a run starts has together.
class RunTime {
 public:
  explicit RunTime(std::chrono::seconds whole) : end_(std::chrono::steady_clock::now() + whole) {}

  /// Until `beyond` its end, in whole seconds, the last one begun; 0: it is over.
  std::chrono::seconds left(std::chrono::seconds beyond = std::chrono::seconds(0)) const {
    const auto left = std::chrono::ceil<std::chrono::seconds>(end_ + beyond - std::chrono::steady_clock::now());
    return std::max(left, std::chrono::seconds(0));
  }

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace envgen::util
