#pragma once

#include <cstddef>
#include <string_view>

namespace envgen {

/// The bytes of the character that `text`, which is not empty, begins with; 0: they are not UTF-8 (RFC 3629: no overlong form, no
/// surrogate, nothing beyond U+10FFFF).
std::size_t utf8_length(std::string_view text);

}  // namespace envgen
