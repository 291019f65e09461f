#pragma once

#include <string>
#include <vector>

#include "files/compat.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// What a user must know of a file that installs the environment, a line each, for its head and for standard error: of
/// cuda-compat, of what is open about `--pip`, and of what a machine has to have besides.
std::vector<std::string> install_notes(const Inputs& inputs, RunsIn runs_in);

}  // namespace envgen::files
