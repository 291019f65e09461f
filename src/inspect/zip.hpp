#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/bytes.hpp"
#include "model/error.hpp"
#include "util/byte_source.hpp"

namespace envgen::inspect {

/// One file of an archive, as the directory at its end has it.
struct ZipMember {
  std::string name;  ///< a relative path without `..`, and without control characters
  std::uint64_t size = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t offset = 0;  ///< of its own header
  std::uint32_t crc = 0;
  std::uint16_t method = 0;
  bool encrypted = false;
};

/// Takes bytes in their order, in pieces; false: it wants no more.
using Sink = std::function<bool(Bytes)>;

/// A zip archive (APPNOTE.TXT 6.3.10, ZIP64 included), read where it lies: the directory with one or two reads from its end, then
/// the members that are asked for. Nothing is believed: what overlaps, lies outside, or unpacks to another size than stated is an
/// error.
class Zip {
 public:
  /// `source` must outlive it; `origin` names it in errors.
  /// Errors (bad_input): no zip archive; its directory is damaged, or holds a name or a size that no archive has honestly.
  static Expected<Zip> open(util::ByteSource& source, std::string origin);

  const std::vector<ZipMember>& members() const { return members_; }
  const ZipMember* find(std::string_view name) const;

  /// Errors (bad_input): the member is encrypted or packed by another method than deflate, larger than a member may be, damaged;
  /// what the source says.
  Expected<void> unpack(const ZipMember& member, const Sink& sink) const;
  /// A small member as a whole. Errors (bad_input): likewise; it is larger than `largest`.
  Expected<std::string> text(const ZipMember& member, std::uint64_t largest) const;

  /// What no member of a real wheel exceeds: the largest library of torch is 2 GB.
  static constexpr std::uint64_t largest_member = std::uint64_t{16} << 30;

 private:
  static constexpr std::size_t local_header_size = 30;  ///< without the name and what follows it

  Zip(util::ByteSource& source, std::string origin) : source_(&source), origin_(std::move(origin)) {}

  struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t count = 0;
    std::uint64_t end = 0;  ///< where what closes the archive begins
  };
  Expected<Directory> find_directory() const;
  Expected<Directory> find_zip64_directory(std::uint64_t end_record) const;
  Expected<void> read_directory(const Directory& directory);
  Expected<void> check_places(std::uint64_t directory);
  Expected<void> read(std::uint64_t offset, std::span<std::byte> into) const;
  struct Opened {
    std::vector<std::byte> bytes;  ///< from the header of the member on
    std::size_t data = 0;          ///< where in these its packed bytes begin, or would
  };
  Expected<Opened> open_member(const ZipMember& member) const;
  using PackedSink = std::function<Expected<bool>(std::span<std::byte>)>;
  Expected<void> read_packed(const ZipMember& member, const PackedSink& take) const;
  tl::unexpected<Error> damaged(std::string what) const;

  util::ByteSource* source_;
  std::string origin_;
  std::vector<ZipMember> members_;
  std::uint64_t tail_offset_ = 0;
  std::vector<std::byte> tail_;  ///< the end of the source, which is read once: a directory, and often small members before it
};

}  // namespace envgen::inspect
