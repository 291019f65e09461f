#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "host/answer.hpp"

namespace envgen::host {

/// What the first line of /proc/driver/nvidia/version says. Written by the kernel module (kernel-open/nvidia/nv-procfs.c of
/// github.com/NVIDIA/open-gpu-kernel-modules; how the two kinds differ: "Open Linux Kernel Modules" in the driver's README):
///   NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct 19 18:56:32 UTC 2023
///   NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  565.57.01  Release Build  (dvs-builder@U16-A24-9-2)  ...
struct KernelModule {
  DriverVersion version;
  bool open = false;
};

/// None when there is no such line in `text`, or no version in it.
std::optional<KernelModule> parse_kernel_module(std::string_view text);

/// What /proc/driver/nvidia/gpus/<PCI address>/information says (the same source file): lines of `Key: \t value`.
struct ProcGpu {
  std::string model;      ///< `Model:`; empty where the driver does not know it
  bool excluded = false;  ///< `GPU Excluded: Yes`: kept from use by the module's parameter
};
ProcGpu parse_proc_gpu(std::string_view text);

/// The kind of the loaded kernel module: `open`, `proprietary` or empty.
std::string kernel_module_of(const std::filesystem::path& root);

/// The driver and the GPUs that the kernel module knows, in the order of the bus, each with its PCI id from /sys. It does not
/// tell capabilities. Readable in every container of the machine, unless its runtime hides it.
Answer ask_proc(const std::filesystem::path& root);

}  // namespace envgen::host
