#pragma once

#include <string>
#include <string_view>

namespace envgen::cli {

/// A message and its hints for a terminal of `width` columns (0: no limit). A line with a command stays whole, so that it can be
/// copied.
std::string message_text(std::string_view message, std::size_t width);

}  // namespace envgen::cli
