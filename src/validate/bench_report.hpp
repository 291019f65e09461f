#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/error.hpp"
#include "validate/launch.hpp"
#include "validate/machine.hpp"
#include "validate/result.hpp"

namespace envgen::validate {

/// What envgen-bench said, as far as it is needed here. It came out of a container: nothing of it is believed unseen.
struct BenchReport {
  bool interrupted = false;
  bool gpu_present = false;
  bool gpu_absent = false;
  long long gpus = 0;
  std::vector<std::string> doubles;
  std::string program;  ///< `envgen-bench 0.1.0`
  std::string started;  ///< `2026-11-22T10:00:00Z`; empty: not told
  std::string profile;
  double seconds = 0;  ///< that the tests took
  Machine machine;
  std::vector<Result> rows;  ///< `check` is the id of the test
  /// The end of the program that it was told to run after the tests; none: it was told of none, or was interrupted before.
  std::optional<Launched> then;
  std::optional<bool> touched;  ///< whether it could make the file that it was told to; none: it was told of none
  std::string touch_error;      ///< why not
};

/// Errors (bad_input), each saying what is wrong: no JSON or cut short, another program's, another version's, a member that is
/// missing or of a wrong type, rows that contradict the summary.
Expected<BenchReport> parse_bench_report(const std::string& text);

}  // namespace envgen::validate
