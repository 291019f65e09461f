#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/capability.hpp"
#include "model/choices.hpp"
#include "model/error.hpp"
#include "model/version.hpp"

/// What this machine has, for values that a request leaves to it (`--gpu auto`, `--driver auto`).
/// Everything read here was written by others: text is cut and reduced to printable ASCII before it is kept.
namespace envgen::host {

/// One GPU of this machine. At least one of `name`, `capability` and `pci_id` is known.
struct Gpu {
  std::string name;                      ///< as the driver calls it, `NVIDIA GeForce RTX 4090`; empty where no driver told
  std::optional<Capability> capability;  ///< none where the source does not tell (see the source's header)
  std::string pci_id;                    ///< vendor and device, lower-case hex, `10de:2684`; or empty
  std::string origin;                    ///< the source that told: `NVML (libnvidia-ml.so.1)`, a file, `nvidia-smi`
};

struct Report {
  std::optional<DriverVersion> driver;
  std::string driver_origin;  ///< as Gpu::origin; says so where it is the Windows driver (WSL 2) or a Tegra driver
  std::string kernel_module;  ///< `open` or `proprietary`, from /proc/driver/nvidia/version; empty where that file is not there
  std::vector<Gpu> gpus;      ///< in the order of NVML's indices, else of their PCI addresses
  bool wsl = false;           ///< WSL 2: GPUs and driver are those of Windows
  bool tegra = false;         ///< a Jetson: its driver numbers compare only with those of other Jetsons
  std::optional<Platform> platform;  ///< from the machine's name; none for one that envgen does not know
  std::string os_id;                 ///< ID and VERSION_ID of os-release(5): `ubuntu22.04`, `debian12`; or empty
  std::vector<std::string> tried;    ///< what was asked and what came of it, in that order: one line each, for messages
};

/// Where to ask; the defaults are the real machine. Tests put doubles here.
struct Sources {
  std::filesystem::path root = "/";  ///< what stands for / in every path that is read
  std::vector<std::string> nvml_libraries = {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"};
  std::string nvidia_smi = "nvidia-smi";  ///< found on PATH; empty: not asked
  std::string machine;                    ///< what `uname -m` prints; empty: ask the system
};

/// Asks, each only for what those before it left open: NVML, /proc/driver/nvidia, nvidia-smi, and for GPUs /sys/bus/pci.
/// Never fails: what could not be read is in `tried`. Loads a library of the driver into this process and can start
/// nvidia-smi (10 s at most); a driver that hangs inside NVML hangs the caller too.
Report probe(const Sources& sources);

/// The value that `--driver auto` stands for. Error (missing): this machine has none; the message lists what was tried.
/// `where`: what asked for it, for the error to name.
Expected<DriverVersion> require_driver(const Report& report, const std::string& where);

/// The values that `--gpu auto` stands for, never empty. Error (missing): as above.
Expected<std::vector<Gpu>> require_gpus(const Report& report, const std::string& where);

}  // namespace envgen::host
