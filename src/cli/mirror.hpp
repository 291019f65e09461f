#pragma once

#include "matrix/matrix.hpp"
#include "output/options.hpp"

namespace envgen::cli {

/// The options with what the mirror that they name has, where nothing else was said.
/// Errors (usage): there is no such mirror.
Expected<output::Options> with_mirror(output::Options options, const matrix::Matrix& matrix);

/// Says on standard error what the mirror that was named lacks for this environment.
void note_what_is_not_mirrored(const output::Subject& subject);

}  // namespace envgen::cli
