#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/error.hpp"

namespace envgen::util {

/// Bytes that are read where they lie: a file, a member of an archive, a resource behind HTTP ranges. Nothing is read that nobody
/// asked for.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  virtual std::uint64_t size() const = 0;
  /// Fills `into` from `offset` on. Errors: the range is not inside the source, or reading failed.
  virtual Expected<void> read(std::uint64_t offset, std::span<std::byte> into) = 0;
};

}  // namespace envgen::util
