// A double of NVML.
#include <cstdint>
#include <cstdio>

#include "api/nvml.hpp"
#include "faults.hpp"

ENVGEN_DOUBLE("libnvidia-ml");

using namespace envgen::bench::api::nvml;
using envgen::doubles::number_setting;

constexpr Status not_found = 6;

extern "C" {

Status nvmlInit_v2() {
  ENVGEN_FAULT(nvmlInit_v2);
  return success;
}
Status nvmlShutdown() {
  ENVGEN_FAULT(nvmlShutdown);
  return success;
}
const char* nvmlErrorString(Status status) { return status == 18 ? "Driver/library version mismatch" : "Unknown Error"; }
Status nvmlSystemGetDriverVersion(char* text, unsigned size) {
  ENVGEN_FAULT(nvmlSystemGetDriverVersion);
  std::snprintf(text, size, "580.65.06");
  return success;
}
Status nvmlSystemGetNVMLVersion(char* text, unsigned size) {
  ENVGEN_FAULT(nvmlSystemGetNVMLVersion);
  std::snprintf(text, size, "13.580.65.06");
  return success;
}
Status nvmlDeviceGetHandleByPciBusId_v2(const char* id, Device* device) {
  ENVGEN_FAULT(nvmlDeviceGetHandleByPciBusId_v2);
  unsigned bus = 0;
  if (std::sscanf(id, "0000:%x:00.0", &bus) != 1) return not_found;
  *device = reinterpret_cast<Device>(static_cast<std::uintptr_t>(bus));
  return success;
}
/// The second GPU is warmer than the first.
Status nvmlDeviceGetTemperature(Device device, Sensor, unsigned* celsius) {
  ENVGEN_FAULT(nvmlDeviceGetTemperature);
  *celsius = 40 + static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(device));
  return success;
}
Status nvmlDeviceGetPowerUsage(Device, unsigned* milliwatts) {
  ENVGEN_FAULT(nvmlDeviceGetPowerUsage);
  *milliwatts = 98'500;
  return success;
}
Status nvmlDeviceGetEnforcedPowerLimit(Device, unsigned* milliwatts) {
  ENVGEN_FAULT(nvmlDeviceGetEnforcedPowerLimit);
  *milliwatts = 350'000;
  return success;
}
Status nvmlDeviceGetClockInfo(Device, Clock clock, unsigned* mhz) {
  ENVGEN_FAULT(nvmlDeviceGetClockInfo);
  *mhz = clock == clock_sm ? 1200 : 2500;
  return success;
}
Status nvmlDeviceGetMaxClockInfo(Device, Clock clock, unsigned* mhz) {
  ENVGEN_FAULT(nvmlDeviceGetMaxClockInfo);
  *mhz = clock == clock_sm ? 1980 : 2619;
  return success;
}
Status nvmlDeviceGetCurrentClocksThrottleReasons(Device, unsigned long long* reasons) {
  ENVGEN_FAULT(nvmlDeviceGetCurrentClocksThrottleReasons);
  *reasons = static_cast<unsigned long long>(number_setting("ENVGEN_DOUBLE_THROTTLE", 0));
  return success;
}
Status nvmlDeviceGetComputeRunningProcesses(Device, unsigned* count, Process*) {
  ENVGEN_FAULT(nvmlDeviceGetComputeRunningProcesses);
  *count = static_cast<unsigned>(number_setting("ENVGEN_DOUBLE_PROCESSES", 0));
  return *count == 0 ? success : insufficient_size;
}
Status nvmlDeviceGetMigMode(Device, unsigned* current, unsigned* pending) {
  ENVGEN_FAULT(nvmlDeviceGetMigMode);
  *current = *pending = static_cast<unsigned>(number_setting("ENVGEN_DOUBLE_MIG", 0));
  return success;
}

}  // extern "C"
