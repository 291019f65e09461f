#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/bytes.hpp"
#include "model/error.hpp"
#include "model/version.hpp"

namespace envgen::inspect {

/// What the dynamic linker is told by a library.
struct Linkage {
  std::vector<std::string> needed;  ///< DT_NEEDED, in their order
  Version glibc;                    ///< the newest GLIBC_x.y that a symbol needs; none: of no glibc
};

/// A part of a file.
struct Range {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;

  friend bool operator==(const Range&, const Range&) = default;
};

/// A section, for what lies in it.
struct Section {
  std::string name;
  Range place;
};

/// Reads a 64-bit little-endian ELF file that passes by in pieces: keeps its beginning and its end, where the tables of nearly
/// all libraries are, and says which other part it lacks. https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html
class ElfReader {
 public:
  explicit ElfReader(std::uint64_t file_size);

  /// The bytes that follow those of the call before. Errors (bad_input, without an origin): no such file.
  Expected<void> take(Bytes piece);

  /// After all of it: a part without which `linkage` cannot tell. Errors: its tables are damaged.
  Expected<std::optional<Range>> lacks() const;
  /// That part.
  void give(Range range, std::vector<std::byte> bytes);

  /// `x86_64`, `aarch64`, or `machine 8` (e_machine).
  std::string machine() const;
  /// None: it lacks a part that was not given. Errors (bad_input, without an origin): its tables are damaged.
  Expected<std::optional<Linkage>> linkage() const;
  /// Of those that have a name; empty where it has no table of them, or one that is not where it was kept.
  std::vector<Section> sections() const;

 private:
  struct Part {
    Range range;
    std::vector<std::byte> bytes;
  };
  struct Segment {
    std::uint64_t address = 0;
    Range place;
  };
  struct Result {
    std::optional<Range> lacks;
    Linkage linkage;
  };
  Expected<void> read_header();
  Expected<void> read_segments();
  Expected<Result> read_tables() const;
  Expected<void> read_versions(std::uint64_t at, std::uint64_t count, Range names, Result& result) const;
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const;
  std::optional<Bytes> kept(Range range) const;
  Expected<std::string> name_at(Range names, std::uint64_t offset, std::optional<Range>& lacks) const;

  std::uint64_t file_size_;
  std::uint64_t at_ = 0;
  std::vector<std::byte> head_;
  std::vector<std::byte> tail_;
  std::uint64_t tail_offset_;
  std::vector<Part> given_;
  bool header_read_ = false;
  std::uint16_t machine_ = 0;
  Range segment_table_;
  Range section_table_;
  std::uint16_t section_names_ = 0;
  std::vector<Segment> segments_;
  std::optional<Range> dynamic_;
  std::vector<std::byte> dynamic_bytes_;
};

}  // namespace envgen::inspect
