#pragma once

#include "matrix/built_in.hpp"

namespace envgen::matrix {

/// The matrix that this envgen was built with.
Matrix embedded();

/// The same with its documents.
BuiltIn embedded_with_documents();

}  // namespace envgen::matrix
