#pragma once

#include "matrix/cell.hpp"
#include "model/environment.hpp"

namespace envgen::project {

/// Reads back what a lock holds of its environment: `answer` is an object with the members `environment`, `pins`, `env`,
/// `warnings`, `reasons` and perhaps `frozen`. Members that are not known are left alone: additions are free. Problems go where
/// the cell's go: a missing member, a wrong type, a text that holds a control character.
Environment read_environment(const matrix::Cell& answer);

}  // namespace envgen::project
