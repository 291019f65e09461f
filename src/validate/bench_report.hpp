#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/capability.hpp"
#include "model/error.hpp"
#include "model/version.hpp"
#include "validate/launch.hpp"
#include "validate/machine_info.hpp"
#include "validate/result.hpp"

namespace envgen::validate {

/// A device node of the driver.
struct DeviceNode {
  std::string path;
  std::string error;  ///< what opening it said; empty: it opens
};

/// What the container sees of the driver.
struct DriverFacts {
  std::optional<DriverVersion> kernel_module;  ///< /proc/driver/nvidia/version
  std::string libcuda;                         ///< its real path; empty: there is none
  std::string problem;                         ///< why there is none
  std::optional<DriverVersion> release;        ///< as libcuda's name ends
  std::optional<Version> cuda;                 ///< the newest that it reports
  bool compat = false;                         ///< libcuda is of cuda-compat
  std::vector<DeviceNode> nodes;
};

struct GpuFacts {
  std::string name;
  std::optional<Capability> capability;
};

/// What envgen-bench said, as far as it is needed here. It came out of a container: nothing of it is believed unseen.
struct BenchReport {
  bool interrupted = false;
  bool out_of_time = false;              ///< not every test was made
  std::optional<long long> exit_status;  ///< with which it said it would end
  bool gpu_present = false;
  bool gpu_absent = false;
  std::optional<DriverFacts> driver;  ///< none: it told nothing
  std::vector<GpuFacts> gpus;
  std::vector<std::string> doubles;
  std::string nonce;    ///< that it brings back; empty: none
  std::string program;  ///< `envgen-bench 0.1.0`
  std::string started;  ///< `2026-11-22T10:00:00Z`; empty: not told
  std::string profile;
  double seconds = 0;  ///< that the tests took
  MachineInfo machine;
  std::vector<Result> rows;  ///< `check` is the id of the test
  /// The end of the program that it was told to run after the tests; none: it was told of none, or was interrupted before.
  std::optional<Launched> then;
  std::optional<bool> touched;  ///< whether it could make the file that it was told to; none: it was told of none
  std::string touch_error;      ///< why not

  /// The first row of a test; null: there is none.
  const Result* row(std::string_view test, std::optional<Status> status = std::nullopt) const;
};

/// Errors (bad_input), each saying what is wrong: no JSON or cut short, another program's, another version's, a member that is
/// missing or of a wrong type, rows that contradict the summary or stand twice, an IPC mode that there is not.
Expected<BenchReport> parse_bench_report(const std::string& text);
/// ... of the program that printed it in a run. Errors: also another nonce than it was given, an exit status other than the one
/// that it tells of, a test that there is not, a GPU that there is not.
Expected<BenchReport> bench_report_of(const Launched& launched, const std::string& nonce);

using BenchTold = Told<BenchReport>;

}  // namespace envgen::validate
