#pragma once

#include <cstddef>
#include <optional>
#include <string>

/// What the doubles of CUDA's libraries are told to be, by environment variables, or by lines `NAME=value` of
/// /etc/envgen-doubles:
///   ENVGEN_DOUBLE_FAULTS       `cuInit=999,cuLaunchKernel=hang`: a function returns that error, or hangs, crashes (SIGSEGV),
///                              dies of SIGBUS (bus), ends the process (exit), or does its work and spoils one byte of it
///                              (corrupt; of kernels by their own names: `copy_16=corrupt`)
///   ENVGEN_DOUBLE_DEVICES      how many GPUs there are (1)
///   ENVGEN_DOUBLE_NAME         what they are called (`Simulated GPU`)
///   ENVGEN_DOUBLE_CAPABILITY   their capability (`9.0`)
///   ENVGEN_DOUBLE_DRIVER       the driver's CUDA version (`13000`)
///   ENVGEN_DOUBLE_THROTTLE     the bits that NVML gives as reasons (0)
///   ENVGEN_DOUBLE_PROCESSES    how many other processes NVML counts (0)
namespace envgen::doubles {

/// The error that `function` is to return; nothing: it does its work. Does not return from a hang or a crash.
std::optional<int> fault_of(const char* function);
/// Whether `function` is to spoil its result.
bool corrupts(const char* function);

int number_setting(const char* name, int otherwise);
std::string text_setting(const char* name, const char* otherwise);

}  // namespace envgen::doubles

/// Every double exports this, so that a report can say what it was made with.
#define ENVGEN_DOUBLE(library) extern "C" const char envgen_double[] = library

/// Begins each function of a double: returns the error that it was told to.
#define ENVGEN_FAULT(function) \
  if (const auto fault = envgen::doubles::fault_of(#function)) return *fault
