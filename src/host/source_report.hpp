#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/probe.hpp"

/// The sources that are asked for the driver and the GPUs, and what each told.
namespace envgen::host {

/// What one source told. `notes` has at least one line, whatever came of it.
struct SourceReport {
  std::optional<DriverVersion> driver;
  std::string driver_origin;
  std::vector<Gpu> gpus;
  std::vector<std::string> notes;
};

/// More than any machine has; a source that claims more is not believed further.
inline constexpr std::size_t most_gpus = 256;

/// False for a GPU of which nothing is known that a resolver could use.
inline bool identified(const Gpu& gpu) { return !gpu.name.empty() || gpu.capability || !gpu.pci_id.empty(); }

/// `no GPU`, `1 GPU`, `8 GPUs`.
std::string gpu_count(std::size_t count);

/// Opens `library` (a name for the dynamic linker, or a path) and asks it for the driver and the GPUs: name, capability and
/// PCI id of each, in the order of NVML's indices. A GPU that does not answer is left out and noted; MIG mode is noted (it
/// changes neither name nor capability). Format: nvml.h, https://docs.nvidia.com/deploy/nvml-api/.
/// Under WSL 2 the driver's number is that of the Windows driver.
SourceReport ask_nvml(const std::string& library);

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
SourceReport ask_proc(const std::filesystem::path& root);

/// What `nvidia-smi --query-gpu=<fields> --format=csv,noheader` printed: one line a GPU, in the order of NVML's indices,
/// fields separated by a comma and a space (`nvidia-smi --help-query-gpu` describes each):
///   NVIDIA GeForce RTX 4090, 550.54.14, 8.9, 0x268410DE
/// that is name, driver_version, compute_cap (only `with_capability`) and pci.device_id (device above vendor). A value that
/// the driver does not have reads `[N/A]`. Rows of another shape are noted.
SourceReport parse_smi(std::string_view text, bool with_capability, const std::string& origin);

/// Runs `program`; once more without compute_cap for one that is too old to know that field (before driver 510).
SourceReport ask_smi(const std::string& program, std::chrono::milliseconds timeout = std::chrono::seconds(10));

/// `10de:2684`, from the files `vendor` and `device` of /sys/bus/pci/devices/<address>; empty where they cannot be read.
std::string pci_id_at(const std::filesystem::path& root, std::string_view address);

/// NVIDIA's GPUs on the PCI bus, in its order: a machine has them before it has a driver, so there is neither name nor
/// capability. Vendor 0x10de, class 0x0300 (VGA) or 0x0302 (3D controller: boards without a display); a board's audio
/// (0x0403) and USB functions are left out. Format: Documentation/ABI/testing/sysfs-bus-pci of the kernel, classes: pci.ids.
SourceReport ask_pci(const std::filesystem::path& root);

}  // namespace envgen::host
