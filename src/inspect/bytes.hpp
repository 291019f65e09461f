#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace envgen::inspect {

using Bytes = std::span<const std::byte>;

/// The number that stands at `offset`, least significant byte first, as zip archives and the binaries of our platforms have them.
/// For a range that is inside.
template <std::unsigned_integral T>
T number_at(Bytes bytes, std::size_t offset) {
  T number = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    number = static_cast<T>(number | static_cast<T>(static_cast<T>(std::to_integer<std::uint8_t>(bytes[offset + i])) << (8 * i)));
  return number;
}

inline std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
inline Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// True where `size` bytes from `offset` on lie inside `whole`.
constexpr bool lies_inside(std::uint64_t offset, std::uint64_t size, std::uint64_t whole) {
  return offset <= whole && size <= whole - offset;
}

}  // namespace envgen::inspect
