#pragma once

#include "matrix/matrix.hpp"
#include "output/options.hpp"

namespace envgen::cli {

/// The options with what the mirror that they name has, where nothing else was said.
/// Errors (usage): there is no such mirror.
Expected<output::Options> with_mirror(output::Options options, const matrix::Matrix& matrix);

}  // namespace envgen::cli
