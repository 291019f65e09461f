#pragma once

#include <cstddef>
#include <string_view>

namespace envgen {

/// Whether a byte goes on with a character of UTF-8 that began before it: 10xxxxxx.
constexpr bool is_utf8_tail(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// The bytes of the character that `text`, which is not empty, begins with; 0: they are not UTF-8 (RFC 3629: no overlong form, no
/// surrogate, nothing beyond U+10FFFF).
std::size_t utf8_length(std::string_view text);

/// Whether a terminal would obey this character, or a parser end a line there: C0, DEL, C1 (U+0080 to U+009F, and the bytes 0x80
/// to 0x9F outside a character), the separators U+2028 and U+2029, which end a line in YAML 1.1, and what turns the direction of
/// text.
bool is_control(std::string_view character);

}  // namespace envgen
