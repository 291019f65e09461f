#pragma once

#include <string>
#include <string_view>

namespace envgen::cli {

/// Help for a terminal of `width` columns (0: no limit): a description that does not fit goes on below its own beginning, or,
/// where that leaves too little, below its option.
std::string help_text(std::string_view help, std::size_t width);

}  // namespace envgen::cli
