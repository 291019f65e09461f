#pragma once

#include <chrono>
#include <optional>

#include "options.hpp"

namespace envgen::bench {

/// How long one test may take.
struct TimeLimit {
  double seconds = 0;
  bool cut = false;  ///< less than --timeout, because no more was left: that a test did not end in it proves nothing
};

/// The time that is left to a run, which begins when this is made.
class TimeBudget {
 public:
  explicit TimeBudget(const Options& options) : options_(options) {}

  /// None: nothing is left.
  std::optional<TimeLimit> next() const {
    if (!options_.total_seconds) return TimeLimit{options_.timeout_seconds, false};
    const double left = *options_.total_seconds - spent();
    if (left <= 0) return std::nullopt;
    return left < options_.timeout_seconds ? TimeLimit{left, true} : TimeLimit{options_.timeout_seconds, false};
  }
  double spent() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  const Options& options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace envgen::bench
