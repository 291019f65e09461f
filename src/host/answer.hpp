#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/probe.hpp"

namespace envgen::host {

/// What one source told. `notes` has at least one line, whatever came of it.
struct Answer {
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

}  // namespace envgen::host
