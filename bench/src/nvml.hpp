#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/nvml.hpp"
#include "json.hpp"
#include "loaded_library.hpp"
#include "lookup.hpp"

namespace envgen::bench {

/// What NVML says of one GPU at this moment; what it does not tell is empty.
struct GpuState {
  std::optional<unsigned> temperature_c;
  std::optional<double> power_w;
  std::optional<double> power_limit_w;
  std::optional<unsigned> sm_clock_mhz;
  std::optional<unsigned> sm_clock_max_mhz;
  std::optional<unsigned> memory_clock_mhz;
  std::optional<unsigned> memory_clock_max_mhz;
  std::optional<unsigned long long> throttle_reasons;  ///< bits of nvmlClocksThrottleReasons
  std::optional<unsigned> compute_processes;
  std::optional<bool> mig;
};

Json to_json(const GpuState& state);
/// The names of the bits that are set, as nvml.h calls them.
std::vector<std::string> throttle_names(unsigned long long reasons);
/// Whether the clocks are held down by heat, by the board's power supply or by the hardware's own brake. The software power cap
/// is not among them: a large product of matrices meets it on a healthy board.
bool throttled(const GpuState& state);

/// NVML, initialised for as long as the object lives. It is there only where the engine injected `utility`.
class Nvml {
 public:
  explicit Nvml(const Places& places);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  bool usable() const { return usable_; }
  const std::string& problem() const { return problem_; }  ///< why it is not usable
  const LoadedLibrary& library() const { return library_; }
  std::string driver_version() const;  ///< "" where it does not say
  std::string own_version() const;
  GpuState state_of(const std::string& pci_bus_id) const;

 private:
  LoadedLibrary library_;
  api::nvml::Table api_;
  bool usable_ = false;
  std::string problem_;
};

}  // namespace envgen::bench
