#pragma once

#include <string>
#include <vector>

#include "support/small_matrix.hpp"

namespace envgen::test {

/// What lint finds in a small matrix, as `FILE#/POINTER: message`, without the folder; its hints in brackets where they are
/// wanted.
std::vector<std::string> findings_of(const SmallMatrix& matrix, bool with_hints = false);

}  // namespace envgen::test
