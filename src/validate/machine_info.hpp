#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace envgen::validate {

/// One GPU as CUDA and NVML describe it. What was not told is empty.
struct Gpu {
  long long ordinal = 0;  ///< CUDA's number, from 0
  std::string name;
  std::string capability;  ///< `9.0`
  std::optional<double> memory_bytes;
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::optional<double> power_limit_w;
  std::optional<double> sm_clock_mhz;
  std::optional<double> sm_clock_max_mhz;
  std::optional<double> memory_clock_mhz;
  std::optional<double> memory_clock_max_mhz;
  std::optional<std::vector<std::string>> throttle_reasons;
  std::optional<bool> mig;
};

/// What a run saw of its machine. Nothing here names the machine or its owner: no host name, no UUID, no address.
struct MachineInfo {
  std::string driver;                                           ///< its release; empty: unknown
  std::string cuda;                                             ///< the newest CUDA that the driver knows; empty: unknown
  std::vector<std::pair<std::string, std::string>> libraries;   ///< name and version, of the image
  std::vector<Gpu> gpus;                                        ///< by ordinal
  std::string name_of(std::optional<long long> ordinal) const;  ///< of a GPU; empty: it is not known
};

/// From `gpus`, `driver` and `libraries` of envgen-bench's report (schema/bench.schema.json). What is of another type is empty.
MachineInfo machine_of_bench(const nlohmann::ordered_json& bench);
/// The member `machine` of schema/validate.schema.json, and back.
nlohmann::ordered_json to_json(const MachineInfo& machine);
MachineInfo machine_from_json(const nlohmann::ordered_json& json);

}  // namespace envgen::validate
