#pragma once

#include <string>

#include "host/answer.hpp"

namespace envgen::host {

/// Opens `library` (a name for the dynamic linker, or a path) and asks it for the driver and the GPUs: name, capability and
/// PCI id of each, in the order of NVML's indices. A GPU that does not answer is left out and noted; MIG mode is noted (it
/// changes neither name nor capability). Format: nvml.h, https://docs.nvidia.com/deploy/nvml-api/.
/// Under WSL 2 the driver's number is that of the Windows driver.
Answer ask_nvml(const std::string& library);

}  // namespace envgen::host
