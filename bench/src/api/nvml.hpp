#pragma once

#include <string>
#include <vector>

#include "api/bind.hpp"

// What is used of nvml.h. Its functions keep their meaning for good: NVML adds a new version where it changes one. Compared with
// the real headers by tests/bench/api_headers.
struct nvmlDevice_st;

namespace envgen::bench::api::nvml {

using Status = int;  // nvmlReturn_t
using Device = nvmlDevice_st*;
using Clock = int;   // nvmlClockType_t
using Sensor = int;  // nvmlTemperatureSensors_t

struct Process {  // nvmlProcessInfo_v1_t
  unsigned pid;
  unsigned long long used_memory;
};

inline constexpr Status success = 0;
inline constexpr Status insufficient_size = 7;
inline constexpr Clock clock_sm = 1;
inline constexpr Clock clock_memory = 2;
inline constexpr Sensor temperature_gpu = 0;

inline constexpr unsigned long long reason_gpu_idle = 0x1;
inline constexpr unsigned long long reason_applications_clocks = 0x2;
inline constexpr unsigned long long reason_sw_power_cap = 0x4;
inline constexpr unsigned long long reason_hw_slowdown = 0x8;
inline constexpr unsigned long long reason_sync_boost = 0x10;
inline constexpr unsigned long long reason_sw_thermal = 0x20;
inline constexpr unsigned long long reason_hw_thermal = 0x40;
inline constexpr unsigned long long reason_hw_power_brake = 0x80;
inline constexpr unsigned long long reason_display_clocks = 0x100;

#define ENVGEN_NVML_API(X)                                                                      \
  X(required, nvmlInit_v2, Status, ())                                                          \
  X(required, nvmlShutdown, Status, ())                                                         \
  X(required, nvmlErrorString, const char*, (Status))                                           \
  X(required, nvmlSystemGetDriverVersion, Status, (char*, unsigned))                            \
  X(required, nvmlSystemGetNVMLVersion, Status, (char*, unsigned))                              \
  X(required, nvmlDeviceGetHandleByPciBusId_v2, Status, (const char*, Device*))                 \
  X(required, nvmlDeviceGetTemperature, Status, (Device, Sensor, unsigned*))                    \
  X(required, nvmlDeviceGetPowerUsage, Status, (Device, unsigned*))                             \
  X(required, nvmlDeviceGetEnforcedPowerLimit, Status, (Device, unsigned*))                     \
  X(required, nvmlDeviceGetClockInfo, Status, (Device, Clock, unsigned*))                       \
  X(required, nvmlDeviceGetMaxClockInfo, Status, (Device, Clock, unsigned*))                    \
  X(required, nvmlDeviceGetCurrentClocksThrottleReasons, Status, (Device, unsigned long long*)) \
  X(required, nvmlDeviceGetComputeRunningProcesses, Status, (Device, unsigned*, Process*))      \
  X(optional, nvmlDeviceGetMigMode, Status, (Device, unsigned*, unsigned*))

struct Table {
  ENVGEN_NVML_API(ENVGEN_API_MEMBER)
};

inline std::vector<std::string> bind(void* library, Table& table) {
  std::vector<std::string> missing;
  ENVGEN_NVML_API(ENVGEN_API_BIND)
  return missing;
}

}  // namespace envgen::bench::api::nvml
