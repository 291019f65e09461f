#pragma once

#include <string_view>

#include "resolver/query.hpp"

namespace envgen::resolver {

/// Reads a name of a GPU, or a compute capability. Errors name the text and the nearest names.
Expected<Board> parse_board(const matrix::Matrix& matrix, std::string_view text);

}  // namespace envgen::resolver
