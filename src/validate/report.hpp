#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "validate/checks.hpp"
#include "validate/machine_info.hpp"
#include "validate/result.hpp"

namespace envgen::validate {

/// What a run of `validate` proved, and what it did not.
struct Report {
  std::string program;  ///< what made it: `envgen 0.1.0`; empty: not told
  std::string started;  ///< UTC: `2026-11-22T10:00:00Z`; empty: not told
  std::string image;    ///< empty: envgen-bench alone, without a container
  std::string profile;
  std::string engine;                ///< `docker 20.10.24`; empty: none answered
  std::string gpus;                  ///< the flag's value that was used: `all`, `none`
  std::string lock;                  ///< the file that the image was compared with; empty: none
  std::vector<std::string> doubles;  ///< libraries that are test doubles: with any here, nothing is said about a GPU
  MachineInfo machine;
  double seconds = 0;
  std::vector<Result> results;  ///< of a run of `validate`, every check of the table has one at least

  Result& add(std::string_view check, Status status, std::string message);
  void add(std::vector<Result> more);
  bool has(std::string_view check) const;
  /// A skip for every check that has no result.
  void skip_rest(const std::function<std::string(const Check&)>& why);
  /// Each check that is named turns into a failure where nothing was proven by it. `ipc-host`: the check ipc, and the mode is
  /// host.
  void require(const std::vector<std::string>& names);
  /// In the order of the table.
  void sort();
  /// Names test doubles, each once.
  void add_doubles(const std::vector<std::string>& names);

  std::size_t count(Status status) const;
  bool failed() const { return count(Status::fail) > 0; }
  /// It failed for something that this machine lacks.
  bool lacks_prerequisite() const;
};

/// What `--require` takes besides the ids of checks.
inline constexpr std::string_view require_ipc_host = "ipc-host";

/// `9 passed, 0 failed, ...`
std::string summary(const Report& report);

}  // namespace envgen::validate
