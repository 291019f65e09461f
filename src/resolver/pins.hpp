#pragma once

#include "matrix/matrix.hpp"
#include "model/environment.hpp"

namespace envgen::resolver {

/// Applies the pitfalls of the matrix to an environment: conditional pins, variables and warnings, each with its reason.
/// `reported`: the CUDA of the asked drivers, or of the build.
void apply_rules(const matrix::Matrix& matrix, const matrix::Build& build, Version reported, Environment& environment);

}  // namespace envgen::resolver
