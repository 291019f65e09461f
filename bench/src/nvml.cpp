#include "nvml.hpp"

#include <array>
#include <utility>

namespace envgen::bench {
namespace {

namespace nvml = api::nvml;

std::optional<double> watts(const std::optional<unsigned>& milliwatts) {
  return milliwatts ? std::optional<double>(*milliwatts / 1000.0) : std::nullopt;
}

}  // namespace

std::vector<std::string> throttle_names(unsigned long long reasons) {
  constexpr std::array<std::pair<unsigned long long, const char*>, 9> known{
      {{nvml::reason_gpu_idle, "GpuIdle"},
       {nvml::reason_applications_clocks, "ApplicationsClocksSetting"},
       {nvml::reason_sw_power_cap, "SwPowerCap"},
       {nvml::reason_hw_slowdown, "HwSlowdown"},
       {nvml::reason_sync_boost, "SyncBoost"},
       {nvml::reason_sw_thermal, "SwThermalSlowdown"},
       {nvml::reason_hw_thermal, "HwThermalSlowdown"},
       {nvml::reason_hw_power_brake, "HwPowerBrakeSlowdown"},
       {nvml::reason_display_clocks, "DisplayClockSetting"}}};
  std::vector<std::string> names;
  for (const auto& [bit, name] : known) {
    if ((reasons & bit) != 0) names.emplace_back(name);
  }
  return names;
}

bool throttled(const GpuState& state) {
  constexpr auto held_down =
      nvml::reason_hw_slowdown | nvml::reason_sw_thermal | nvml::reason_hw_thermal | nvml::reason_hw_power_brake;
  return (state.throttle_reasons.value_or(0) & held_down) != 0;
}

Json to_json(const GpuState& state) {
  return {{"temperature_c", json_or_null(state.temperature_c)},
          {"power_w", json_or_null(state.power_w)},
          {"power_limit_w", json_or_null(state.power_limit_w)},
          {"sm_clock_mhz", json_or_null(state.sm_clock_mhz)},
          {"sm_clock_max_mhz", json_or_null(state.sm_clock_max_mhz)},
          {"memory_clock_mhz", json_or_null(state.memory_clock_mhz)},
          {"memory_clock_max_mhz", json_or_null(state.memory_clock_max_mhz)},
          {"throttle_reasons", state.throttle_reasons ? Json(throttle_names(*state.throttle_reasons)) : Json()},
          {"compute_processes", json_or_null(state.compute_processes)},
          {"mig", json_or_null(state.mig)}};
}

Nvml::Nvml(const Places& places) : library_(open_library("libnvidia-ml", candidates("libnvidia-ml", places))) {
  if (!library_) {
    problem_ = library_.why_not();
    return;
  }
  if (const auto missing = nvml::bind(library_.handle, api_); !missing.empty()) {
    problem_ = library_.path + " has no " + missing.front();
    return;
  }
  if (const auto status = api_.nvmlInit_v2(); status != nvml::success) {
    const char* text = api_.nvmlErrorString(status);
    problem_ = std::string("nvmlInit_v2: ") + (text != nullptr ? text : "failed") + " (error " + std::to_string(status) + ")";
    return;
  }
  usable_ = true;
}

Nvml::~Nvml() {
  if (usable_) api_.nvmlShutdown();
}

std::string Nvml::driver_version() const {
  std::array<char, 80> text{};  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
  if (!usable_ || api_.nvmlSystemGetDriverVersion(text.data(), static_cast<unsigned>(text.size()) - 1) != nvml::success)
    return "";
  return text.data();
}

std::string Nvml::own_version() const {
  std::array<char, 80> text{};  // NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE
  if (!usable_ || api_.nvmlSystemGetNVMLVersion(text.data(), static_cast<unsigned>(text.size()) - 1) != nvml::success) return "";
  return text.data();
}

GpuState Nvml::state_of(const std::string& pci_bus_id) const {
  GpuState state;
  nvml::Device device = nullptr;
  if (!usable_ || api_.nvmlDeviceGetHandleByPciBusId_v2(pci_bus_id.c_str(), &device) != nvml::success) return state;
  const auto ask = [&](const auto& call) {
    unsigned value = 0;
    return call(&value) == nvml::success ? std::optional<unsigned>(value) : std::nullopt;
  };
  state.temperature_c = ask([&](unsigned* v) { return api_.nvmlDeviceGetTemperature(device, nvml::temperature_gpu, v); });
  state.power_w = watts(ask([&](unsigned* v) { return api_.nvmlDeviceGetPowerUsage(device, v); }));
  state.power_limit_w = watts(ask([&](unsigned* v) { return api_.nvmlDeviceGetEnforcedPowerLimit(device, v); }));
  state.sm_clock_mhz = ask([&](unsigned* v) { return api_.nvmlDeviceGetClockInfo(device, nvml::clock_sm, v); });
  state.sm_clock_max_mhz = ask([&](unsigned* v) { return api_.nvmlDeviceGetMaxClockInfo(device, nvml::clock_sm, v); });
  state.memory_clock_mhz = ask([&](unsigned* v) { return api_.nvmlDeviceGetClockInfo(device, nvml::clock_memory, v); });
  state.memory_clock_max_mhz = ask([&](unsigned* v) { return api_.nvmlDeviceGetMaxClockInfo(device, nvml::clock_memory, v); });
  unsigned long long reasons = 0;
  if (api_.nvmlDeviceGetCurrentClocksThrottleReasons(device, &reasons) == nvml::success) state.throttle_reasons = reasons;
  // Only how many there are: with room for none, NVML answers "insufficient size" and the number.
  unsigned count = 0;
  const auto listed = api_.nvmlDeviceGetComputeRunningProcesses(device, &count, nullptr);
  if (listed == nvml::success || listed == nvml::insufficient_size) state.compute_processes = count;
  unsigned current = 0;
  unsigned pending = 0;
  if (api_.nvmlDeviceGetMigMode != nullptr && api_.nvmlDeviceGetMigMode(device, &current, &pending) == nvml::success) {
    state.mig = current != 0;
  }
  return state;
}

}  // namespace envgen::bench
