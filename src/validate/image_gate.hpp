#pragma once

#include <optional>
#include <string>
#include <vector>

#include "container/image.hpp"
#include "model/version.hpp"
#include "validate/result.hpp"

namespace envgen::validate {

/// The driver of this machine.
struct HostDriver {
  DriverVersion release;
  std::optional<Version> cuda;  ///< the newest that it reports; none: not known
  bool tegra = false;           ///< its numbers compare with none of the gate's
};

/// What a driver makes of NVIDIA_REQUIRE_CUDA: alternatives with spaces between, each conditions with commas between
/// (`cuda>=12.1 brand=tesla,driver>=470,driver<471`). True, false, or none where it hangs on what is not known, a brand say.
std::optional<bool> passes(const std::string& gate, const HostDriver& driver);

/// The check image-gate. No driver: this machine has none. `by_cdi`: the GPUs come by CDI, which does not look at the gate
/// (https://github.com/NVIDIA/nvidia-container-toolkit/issues/1470).
Result judge_image_gate(const container::Image& image, const std::optional<HostDriver>& driver, bool by_cdi = false);

}  // namespace envgen::validate
