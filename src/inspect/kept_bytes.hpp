#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inspect/bytes.hpp"

namespace envgen::inspect {

/// The beginning, the end and chosen ranges of a file that passes by once. In a library, what the dynamic linker reads stands at
/// its beginning, and what patchelf rewrote at its end; between them are hundreds of megabytes of code.
class KeptBytes {
 public:
  static constexpr std::uint64_t kept_head = std::uint64_t{48} << 20;
  static constexpr std::uint64_t kept_tail = std::uint64_t{32} << 20;

  /// `size`: of the whole file.
  explicit KeptBytes(std::uint64_t size);

  /// To be kept too; for what has not passed by yet.
  void keep(std::uint64_t offset, std::uint64_t size);
  void feed(Bytes bytes);
  std::uint64_t passed() const { return passed_; }
  /// Of the whole file.
  std::uint64_t size() const { return size_; }

  /// None: it was not kept, or not all of it.
  std::optional<Bytes> at(std::uint64_t offset, std::uint64_t size) const;
  /// What was kept from `offset` on, at most `size` bytes.
  Bytes from(std::uint64_t offset, std::uint64_t size) const;
  /// What was kept of the file's beginning.
  Bytes head() const { return ranges_.front().bytes; }

 private:
  struct Range {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::vector<std::byte> bytes = {};  ///< until now
  };
  std::uint64_t size_;
  std::uint64_t passed_ = 0;
  std::vector<Range> ranges_;
};

}  // namespace envgen::inspect
