#pragma once

#include "model/environment.hpp"
#include "util/json_cell.hpp"

namespace envgen::project {

/// Reads back what a lock holds of its environment: `answer` is an object with the members `environment`, `pins`, `env`,
/// `warnings`, `reasons` and perhaps `frozen`. Members that are not known are left alone: additions are free. Problems go where
/// the cell's go: a missing member, a wrong type, a text that holds a control character.
Environment read_environment(const util::JsonCell& answer);

}  // namespace envgen::project
