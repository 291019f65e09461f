#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "host/answer.hpp"

namespace envgen::host {

/// What `nvidia-smi --query-gpu=<fields> --format=csv,noheader` printed: one line a GPU, in the order of NVML's indices,
/// fields separated by a comma and a space (`nvidia-smi --help-query-gpu` describes each):
///   NVIDIA GeForce RTX 4090, 550.54.14, 8.9, 0x268410DE
/// that is name, driver_version, compute_cap (only `with_capability`) and pci.device_id (device above vendor). A value that
/// the driver does not have reads `[N/A]`. Rows of another shape are noted.
Answer parse_smi(std::string_view text, bool with_capability, const std::string& origin);

/// Runs `program`; once more without compute_cap for one that is too old to know that field (before driver 510).
Answer ask_smi(const std::string& program, std::chrono::milliseconds timeout = std::chrono::seconds(10));

}  // namespace envgen::host
