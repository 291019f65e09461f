#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/error.hpp"

namespace envgen::util {

/// The text in zlib's format (RFC 1950), as small as zlib makes it: equal texts are equal bytes.
std::string deflated(std::string_view text);

/// What `deflated` was given. `size`: of the text; `origin`: of the bytes, for the error.
/// Errors (bad_input): the bytes are damaged, or hold a text of another size.
Expected<std::string> inflated(std::string_view bytes, std::size_t size, const std::string& origin);

/// CRC-32 as zlib and gzip have it: shows damage, proves nothing.
std::uint32_t crc32_of(std::string_view bytes);

}  // namespace envgen::util
