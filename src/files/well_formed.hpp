#pragma once

#include "model/environment.hpp"
#include "model/error.hpp"

namespace envgen::files {

/// Looks at every value that some file holds without quotes, or that decides what is written. A lock may come from anybody, and
/// so may a layer of the matrix; texts that stand in quotes and comments alone (names of GPUs, reasons) may say anything.
/// Errors (bad_input): the value, with its JSON pointer in the lock as the origin.
Expected<void> check_environment(const Environment& environment);

}  // namespace envgen::files
