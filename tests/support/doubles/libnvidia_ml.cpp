// A double of NVML.
#include <cstdio>

#include "api/nvml.hpp"
#include "faults.hpp"

ENVGEN_DOUBLE("libnvidia-ml");

using namespace envgen::bench::api::nvml;
using envgen::doubles::number_setting;

extern "C" {

Status nvmlInit_v2() {
  ENVGEN_FAULT(nvmlInit_v2);
  return success;
}
Status nvmlShutdown() { return success; }
const char* nvmlErrorString(Status status) { return status == 18 ? "Driver/library version mismatch" : "Unknown Error"; }
Status nvmlSystemGetDriverVersion(char* text, unsigned size) {
  ENVGEN_FAULT(nvmlSystemGetDriverVersion);
  std::snprintf(text, size, "580.65.06");
  return success;
}
Status nvmlSystemGetNVMLVersion(char* text, unsigned size) {
  std::snprintf(text, size, "13.580.65.06");
  return success;
}
Status nvmlDeviceGetHandleByPciBusId_v2(const char*, Device* device) {
  ENVGEN_FAULT(nvmlDeviceGetHandleByPciBusId_v2);
  *device = nullptr;
  return success;
}
Status nvmlDeviceGetTemperature(Device, Sensor, unsigned* celsius) {
  ENVGEN_FAULT(nvmlDeviceGetTemperature);
  *celsius = 41;
  return success;
}
Status nvmlDeviceGetPowerUsage(Device, unsigned* milliwatts) {
  *milliwatts = 98'500;
  return success;
}
Status nvmlDeviceGetEnforcedPowerLimit(Device, unsigned* milliwatts) {
  *milliwatts = 350'000;
  return success;
}
Status nvmlDeviceGetClockInfo(Device, Clock clock, unsigned* mhz) {
  *mhz = clock == clock_sm ? 1200 : 2619;
  return success;
}
Status nvmlDeviceGetMaxClockInfo(Device, Clock clock, unsigned* mhz) {
  *mhz = clock == clock_sm ? 1980 : 2619;
  return success;
}
Status nvmlDeviceGetCurrentClocksThrottleReasons(Device, unsigned long long* reasons) {
  *reasons = static_cast<unsigned long long>(number_setting("ENVGEN_DOUBLE_THROTTLE", 0));
  return success;
}
Status nvmlDeviceGetComputeRunningProcesses(Device, unsigned* count, Process*) {
  *count = static_cast<unsigned>(number_setting("ENVGEN_DOUBLE_PROCESSES", 0));
  return *count == 0 ? success : insufficient_size;
}
Status nvmlDeviceGetMigMode(Device, unsigned* current, unsigned* pending) {
  *current = *pending = static_cast<unsigned>(number_setting("ENVGEN_DOUBLE_MIG", 0));
  return success;
}

}  // extern "C"
