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

/// The same as lines of a shell: pip's with the virtual environment that they need (PEP 668; a Python that is not the system's
/// own), conda's with what conda is to believe of the driver, and with the environment activated.
std::vector<std::string> install_lines(const Environment& environment);

}  // namespace envgen::files
