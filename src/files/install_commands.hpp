#pragma once

#include <string>
#include <vector>

#include "model/environment.hpp"

namespace envgen::files {

/// The arguments of one command, the program first.
using Command = std::vector<std::string>;

/// What a person types to have this environment on a machine, complete with its index: by pip into the Python that is active, by
/// uv into a virtual environment in the folder, by conda into an environment named after the framework. An official image holds
/// the framework, so it is only pulled. Empty: a conda environment that no package was read for.
std::vector<Command> install_commands(const Environment& environment);

}  // namespace envgen::files
