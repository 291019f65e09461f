#pragma once

#include "files/file.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// `environment.yaml` for conda and mamba. Errors (usage): the environment is not one of conda.
Expected<Files> conda(const Inputs& inputs);

}  // namespace envgen::files
