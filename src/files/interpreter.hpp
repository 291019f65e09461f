#pragma once

#include <string>
#include <string_view>

#include "model/environment.hpp"

namespace envgen::files {

/// Where images of ours keep Python: a virtual environment, or one of conda.
inline constexpr std::string_view image_venv = "/opt/venv";
inline constexpr std::string_view image_conda = "/opt/env";

/// True when an official image's own Python refuses pip (PEP 668), so that what comes besides needs a virtual environment.
bool image_refuses_pip(const Environment& environment);

/// The Python of the built image: a path, or `python` where an official image has it on its PATH.
std::string interpreter(const Environment& environment);

/// The Python that setup.sh makes in the folder of the workspace, as VS Code names it.
std::string interpreter_of_setup(const Environment& environment);

}  // namespace envgen::files
