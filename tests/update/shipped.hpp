#pragma once

#include "matrix/documents.hpp"

namespace envgen::update {

/// The shipped facts, read once: that is the most that these tests do.
inline const Expected<matrix::Documents>& shipped() {
  static const auto documents = matrix::Documents::read({ENVGEN_MATRIX_FOLDER});
  return documents;
}

}  // namespace envgen::update
