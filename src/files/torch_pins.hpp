#pragma once

#include "files/options.hpp"

namespace envgen::files {

/// Errors (usage): no release that a requirement allows is for the torch of this environment, by what its wheels require. pip
/// would find no solution, or replace torch.
Expected<void> check_torch_pins(const Inputs& inputs);

}  // namespace envgen::files
