#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "matrix/matrix.hpp"
#include "support/small_matrix.hpp"

namespace envgen::test {

/// The facts of a case: the shipped matrix, or a small one where lines change it.
///
///     matrix torch.json#/builds/0/sass=["9.0a"]
class CaseFacts {
 public:
  /// True where the line is one of these; `matrix` alone takes the small matrix as it is.
  bool take(std::string_view line);
  bool shipped() const { return !small_; }
  /// Throws where the changed matrix cannot be loaded: a mistake of the case.
  matrix::Matrix matrix();

 private:
  std::optional<SmallMatrix> small_;
  matrix::Loaded loaded_;
};

}  // namespace envgen::test
