#pragma once

#include <string>
#include <vector>

#include "files/options.hpp"

namespace envgen::files {

/// The packages of apt that a runtime image needs for torch.compile (PyTorch 2.0 and later), which compiles C and C++ while the
/// program runs: Triton a launcher for each kernel, Inductor what stays on the CPU. Both include Python.h. Empty: the image
/// compiles anyway, its base has a compiler, or `--no-compiler` leaves it out. https://github.com/pytorch/pytorch/issues/116696
std::vector<std::string> run_time_compiler(const Inputs& inputs);

}  // namespace envgen::files
