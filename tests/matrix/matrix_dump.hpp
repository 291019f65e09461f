#pragma once

#include <string>

#include "matrix/matrix.hpp"

namespace envgen::test {

/// Every member of every row of a packed matrix, one row a line: what a loader forgets, or puts elsewhere, is another text.
std::string dump(const matrix::Matrix& matrix);

}  // namespace envgen::test
