#pragma once

#include "matrix/matrix.hpp"

namespace envgen::matrix {

/// The matrix that this envgen was built with.
Matrix embedded();

}  // namespace envgen::matrix
