#pragma once

#include <string>

#include "matrix/cell.hpp"

namespace envgen::matrix {

/// The text of a matrix file as people read it: a row, a source or a form is a line where it fits in 120 columns, and is wrapped
/// between its members where it does not. No line is longer but that of a single text. Members keep their order, and letters
/// beyond ASCII are themselves. `document` is an object.
std::string written(const Json& document);

}  // namespace envgen::matrix
