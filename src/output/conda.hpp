#pragma once

#include "output/file.hpp"
#include "output/options.hpp"

namespace envgen::output {

/// `environment.yaml` for conda and mamba. Errors (usage): the environment is not one of conda.
Expected<Files> conda(const Subject& subject);

}  // namespace envgen::output
