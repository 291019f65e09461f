#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "net/client.hpp"

namespace envgen::net {

/// `bytes 0-99/1234` (RFC 9110, 14.4), as the value of Content-Range. One whose size is not told (`*`) is none: every server that
/// serves files knows it, and what is read from the end of a file needs it.
struct ContentRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t whole = 0;

  static std::optional<ContentRange> parse(std::string_view text);
  std::uint64_t length() const { return last - first + 1; }
  /// Whether this is what that range asks for; it may end earlier only where the file does.
  bool answers(const Range& range) const;
};

}  // namespace envgen::net
