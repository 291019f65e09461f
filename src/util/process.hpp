#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.hpp"

namespace envgen::util {

/// How far a program may go. Sizes are bytes.
struct ProcessLimits {
  std::chrono::milliseconds timeout{0};       ///< from its start to its end; 0 is no limit
  std::size_t largest_out = 1024 * 1024;      ///< what is kept of its output; the rest is read and dropped
  bool end_when_full = false;                 ///< more output than that is worth nothing: it is killed then
  std::size_t largest_err = 64 * 1024;        ///< likewise of its error output
  std::vector<std::string> environment = {};  ///< `NAME=value`, each replacing what it would inherit
  std::function<void(std::string_view)> hears_err =
      {};  ///< is given its error output as it comes, in pieces; also what is dropped
  std::function<void(std::string_view)> hears_out = {};  ///< is given its output as it comes, in pieces, and none of it is kept
  std::chrono::milliseconds grace{0};  ///< how long it may go on after an interrupt (`left_of`); 0: it is ended at once
};

/// What a program left behind. `out` and `err` are its bytes as they came: untrusted, perhaps not UTF-8.
struct ProcessResult {
  int exit_status = 0;     ///< 0 to 255; of no meaning where it was killed
  int signal = 0;          ///< the signal that ended it, 0 where it ended by itself
  bool timed_out = false;  ///< it was killed because its time was over
  bool full = false;       ///< it was killed because of `end_when_full`
  std::string out;
  std::string err;
  bool out_cut = false;
  bool err_cut = false;

  bool ok() const { return !timed_out && signal == 0 && exit_status == 0; }
  /// `exit status 9`, `killed by signal 11`, `no end after 10 s`: for messages.
  std::string ending() const;

  std::chrono::milliseconds timeout{0};  ///< the limit it ran under
};

/// Runs `argv[0]`, found on PATH unless it holds a slash, and waits for its end. No shell is involved, so nothing in `argv`
/// needs quoting. Its input is empty (/dev/null). It leads its own process group, and when its time is over that whole
/// group is killed; a process that cannot die even then (it hangs inside a kernel driver) is left behind, not waited for.
/// What it starts in the background does not hold the call up once it has ended itself.
/// Errors: `missing` when it cannot be started (not there, not executable), `internal` for an empty `argv`, a NUL byte in an
/// argument and whatever the system refuses, `interrupted` when a signal came while an InterruptScope lives: the group is killed
/// when its grace is over, and nothing is started after that. A program that ran and failed is a result, not an error.
Expected<ProcessResult> run_process(const std::vector<std::string>& argv, const ProcessLimits& limits = {});

}  // namespace envgen::util
