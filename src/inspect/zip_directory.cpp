#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "inspect/zip.hpp"
#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

constexpr std::uint64_t tail_size = std::uint64_t{64} * 1024;
constexpr std::uint64_t end_record_size = 22;
constexpr std::uint64_t largest_comment = 65535;
constexpr std::uint64_t largest_directory = std::uint64_t{64} << 20;
constexpr std::uint64_t zip64_locator_size = 20;
constexpr std::uint64_t zip64_record_size = 56;
constexpr std::size_t entry_size = 46;
constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t zip64_locator_signature = 0x07064b50;
constexpr std::uint32_t zip64_record_signature = 0x06064b50;
constexpr std::uint32_t entry_signature = 0x02014b50;
constexpr std::uint16_t elsewhere16 = std::numeric_limits<std::uint16_t>::max();  ///< the number stands in a ZIP64 record
constexpr std::uint32_t elsewhere32 = std::numeric_limits<std::uint32_t>::max();

/// Why no honest archive names a file so; empty where it may.
std::string_view bad_name(std::string_view name) {
  if (name.empty()) return "is empty";
  if (holds_control(name) || name.find('\0') != std::string_view::npos) return "contains a control character";
  if (name.find('\\') != std::string_view::npos) return "contains a backslash";
  if (name.front() == '/') return "is an absolute path";
  for (std::size_t begin = 0; begin <= name.size();) {
    const auto end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == "..") return "points outside the archive";
    begin = end + 1;
  }
  return {};
}

/// The sizes and the offset that did not fit, in the order in which they did not. False: they are not there.
bool take_zip64(Bytes extra, ZipMember& member) {
  if (member.size != elsewhere32 && member.packed_size != elsewhere32 && member.offset != elsewhere32) return true;
  constexpr std::uint16_t zip64_id = 1;
  while (extra.size() >= 4) {
    const std::size_t size = number_at<std::uint16_t>(extra, 2);
    if (size > extra.size() - 4) return false;
    if (number_at<std::uint16_t>(extra, 0) == zip64_id) {
      auto rest = extra.subspan(4, size);
      for (auto* number : {&member.size, &member.packed_size, &member.offset}) {
        if (*number != elsewhere32) continue;
        if (rest.size() < sizeof(*number)) return false;
        *number = number_at<std::uint64_t>(rest, 0);
        rest = rest.subspan(sizeof(*number));
      }
      return true;
    }
    extra = extra.subspan(4 + size);
  }
  return false;
}

/// Where the record begins that ends the archive: the last one whose comment reaches exactly to the end. `tail.size()`: nowhere.
std::size_t end_record_in(Bytes tail) {
  if (tail.size() < end_record_size) return tail.size();
  for (std::size_t at = tail.size() - end_record_size;; --at) {
    if (number_at<std::uint32_t>(tail, at) == end_signature &&
        number_at<std::uint16_t>(tail, at + 20) == tail.size() - at - end_record_size)
      return at;
    if (at == 0) return tail.size();
  }
}

}  // namespace

tl::unexpected<Error> Zip::damaged(std::string what) const { return fail(ErrorCode::bad_input, std::move(what), origin_); }

Expected<Zip> Zip::open(util::ByteSource& source, std::string origin) {
  Zip zip(source, std::move(origin));
  const auto load_tail = [&](std::uint64_t size) {
    zip.tail_.resize(static_cast<std::size_t>(std::min(size, source.size())));
    zip.tail_offset_ = source.size() - zip.tail_.size();
    return source.read(zip.tail_offset_, zip.tail_);
  };
  if (auto loaded = load_tail(tail_size); !loaded) return tl::unexpected(loaded.error());
  // A long comment is rare, so only what has one is read twice.
  if (end_record_in(zip.tail_) == zip.tail_.size() && zip.tail_offset_ > 0) {
    if (auto loaded = load_tail(end_record_size + largest_comment); !loaded) return tl::unexpected(loaded.error());
  }
  const auto directory = zip.find_directory();
  if (!directory) return tl::unexpected(directory.error());
  if (auto read = zip.read_directory(*directory); !read) return tl::unexpected(read.error());
  return zip;
}

Expected<Zip::Directory> Zip::find_directory() const {
  const auto at = end_record_in(tail_);
  if (at == tail_.size()) return damaged("not a zip archive, or truncated: no end of central directory");
  const Bytes record = Bytes(tail_).subspan(at, end_record_size);
  const auto record_offset = tail_offset_ + at;
  Directory found;
  found.count = number_at<std::uint16_t>(record, 10);
  found.size = number_at<std::uint32_t>(record, 12);
  found.offset = number_at<std::uint32_t>(record, 16);
  found.end = record_offset;
  const auto disk = number_at<std::uint16_t>(record, 4);
  if (found.count == elsewhere16 || found.size == elsewhere32 || found.offset == elsewhere32 || disk == elsewhere16) {
    const auto zip64 = find_zip64_directory(record_offset);
    if (!zip64) return tl::unexpected(zip64.error());
    found = *zip64;
  } else if (disk != 0 || number_at<std::uint16_t>(record, 6) != 0 || number_at<std::uint16_t>(record, 8) != found.count) {
    return damaged("the archive is one part of a multi-part archive");
  }
  // Whatever stands before an archive shifts all of it: a program that unpacks itself, and no wheel.
  if (found.size > largest_directory || !lies_inside(found.offset, found.size, found.end) ||
      found.offset + found.size != found.end)
    return damaged("the directory of the archive is not where its end record says");
  if (found.count > found.size / entry_size) return damaged("the directory of the archive is too short for the number of files");
  return found;
}

Expected<Zip::Directory> Zip::find_zip64_directory(std::uint64_t end_record) const {
  const auto lost = [&] { return damaged("the ZIP64 end record of the archive is missing or damaged"); };
  if (end_record < zip64_locator_size + zip64_record_size) return lost();
  std::array<std::byte, zip64_locator_size> locator{};
  if (auto got = read(end_record - locator.size(), locator); !got) return tl::unexpected(got.error());
  const auto record_offset = number_at<std::uint64_t>(locator, 8);
  // What a later version of the format adds would stand between the record and its locator; nothing writes that.
  if (number_at<std::uint32_t>(locator, 0) != zip64_locator_signature ||
      record_offset != end_record - zip64_locator_size - zip64_record_size)
    return lost();
  std::array<std::byte, zip64_record_size> record{};
  if (auto got = read(record_offset, record); !got) return tl::unexpected(got.error());
  Directory found;
  found.count = number_at<std::uint64_t>(record, 32);
  found.size = number_at<std::uint64_t>(record, 40);
  found.offset = number_at<std::uint64_t>(record, 48);
  found.end = record_offset;
  if (number_at<std::uint32_t>(record, 0) != zip64_record_signature || number_at<std::uint64_t>(record, 24) != found.count)
    return lost();
  return found;
}

Expected<void> Zip::read_directory(const Directory& directory) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(directory.size));
  if (auto got = read(directory.offset, bytes); !got) return got;
  Bytes rest = bytes;
  members_.reserve(static_cast<std::size_t>(directory.count));
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    if (rest.size() < entry_size || number_at<std::uint32_t>(rest, 0) != entry_signature)
      return damaged(fmt::format("file {} of {} in the directory of the archive is damaged", i + 1, directory.count));
    ZipMember member;
    constexpr std::uint16_t encrypted_flag = 1;
    member.encrypted = (number_at<std::uint16_t>(rest, 8) & encrypted_flag) != 0;
    member.method = number_at<std::uint16_t>(rest, 10);
    member.crc = number_at<std::uint32_t>(rest, 16);
    member.packed_size = number_at<std::uint32_t>(rest, 20);
    member.size = number_at<std::uint32_t>(rest, 24);
    member.offset = number_at<std::uint32_t>(rest, 42);
    const std::size_t name_size = number_at<std::uint16_t>(rest, 28);
    const std::size_t extra_size = number_at<std::uint16_t>(rest, 30);
    const std::size_t comment_size = number_at<std::uint16_t>(rest, 32);
    if (name_size + extra_size + comment_size > rest.size() - entry_size)
      return damaged(fmt::format("file {} of {} in the directory of the archive is damaged", i + 1, directory.count));
    member.name = text_of(rest.subspan(entry_size, name_size));
    if (const auto why = bad_name(member.name); !why.empty())
      return damaged(fmt::format("the name {} of a file in the archive {}", in_quotes(member.name), why));
    if (!take_zip64(rest.subspan(entry_size + name_size, extra_size), member))
      return damaged(fmt::format("the ZIP64 sizes of {} in the archive are missing", in_quotes(member.name)));
    rest = rest.subspan(entry_size + name_size + extra_size + comment_size);
    members_.push_back(std::move(member));
  }
  if (!rest.empty()) return damaged("the directory of the archive is too long for the number of files");
  return check_places(directory.offset);
}

Expected<void> Zip::check_places(std::uint64_t directory) {
  std::vector<const ZipMember*> placed;
  placed.reserve(members_.size());
  for (const auto& member : members_) placed.push_back(&member);
  std::sort(placed.begin(), placed.end(), [](const auto* a, const auto* b) { return a->offset < b->offset; });
  // From the last to the first: each ends before the next begins. What overlaps is how 42 kB become petabytes.
  auto limit = directory;
  for (auto member = placed.rbegin(); member != placed.rend(); ++member) {
    const auto head = local_header_size + (*member)->name.size();
    if ((*member)->packed_size > limit || !lies_inside((*member)->offset, head + (*member)->packed_size, limit))
      return damaged(fmt::format("{} in the archive overlaps another file or exceeds the archive", in_quotes((*member)->name)));
    limit = (*member)->offset;
  }
  std::sort(placed.begin(), placed.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  const auto twice =
      std::adjacent_find(placed.begin(), placed.end(), [](const auto* a, const auto* b) { return a->name == b->name; });
  if (twice != placed.end()) return damaged(fmt::format("{} is in the archive twice", in_quotes((*twice)->name)));
  return {};
}

}  // namespace envgen::inspect
