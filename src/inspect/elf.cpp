#include "inspect/elf.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

/// libtorch_cpu.so has 8 MB of tables before its code, and 6 MB that patchelf moved behind it.
constexpr std::uint64_t kept_at_each_end = std::uint64_t{16} << 20;

constexpr std::size_t elf_header_size = 64;
constexpr std::size_t elf_segment_size = 56;
constexpr std::size_t elf_section_size = 64;
constexpr std::size_t elf_dynamic_size = 16;
constexpr std::uint64_t largest_dynamic = std::uint64_t{1} << 20;
constexpr std::uint64_t largest_names = std::uint64_t{64} << 20;
constexpr std::uint64_t longest_name = 4096;

constexpr std::uint32_t segment_load = 1;
constexpr std::uint32_t segment_dynamic = 2;
constexpr std::uint32_t section_without_bytes = 8;

constexpr std::uint64_t tag_end = 0;
constexpr std::uint64_t tag_needed = 1;
constexpr std::uint64_t tag_names = 5;
constexpr std::uint64_t tag_names_size = 10;
constexpr std::uint64_t tag_versions = 0x6ffffffe;
constexpr std::uint64_t tag_versions_count = 0x6fffffff;

tl::unexpected<Error> broken(std::string_view why) {
  return fail(ErrorCode::bad_input, fmt::format("is a damaged ELF file: {}", why));
}

/// What of `piece`, which begins at `at`, lies in the part of the file that `into` keeps from `from` on.
void keep(Bytes piece, std::uint64_t at, std::uint64_t from, std::uint64_t size, std::vector<std::byte>& into) {
  const auto begin = std::max(at, from);
  const auto end = std::min(at + piece.size(), from + size);
  if (begin >= end || begin != from + into.size()) return;
  const auto part = piece.subspan(static_cast<std::size_t>(begin - at), static_cast<std::size_t>(end - begin));
  into.insert(into.end(), part.begin(), part.end());
}

}  // namespace

ElfReader::ElfReader(std::uint64_t file_size)
    : file_size_(file_size),
      tail_offset_(std::max(file_size - std::min(file_size, kept_at_each_end), std::min(file_size, kept_at_each_end))) {
  head_.reserve(static_cast<std::size_t>(std::min(file_size, kept_at_each_end)));
  tail_.reserve(static_cast<std::size_t>(file_size - tail_offset_));
}

Expected<void> ElfReader::take(Bytes piece) {
  keep(piece, at_, 0, kept_at_each_end, head_);
  keep(piece, at_, tail_offset_, kept_at_each_end, tail_);
  if (dynamic_) keep(piece, at_, dynamic_->offset, dynamic_->size, dynamic_bytes_);
  at_ += piece.size();
  if (!header_read_ && (head_.size() >= elf_header_size || at_ == file_size_)) {
    if (auto read = read_header(); !read) return read;
  }
  if (header_read_ && segments_.empty() && kept(segment_table_)) return read_segments();
  return {};
}

Expected<void> ElfReader::read_header() {
  constexpr std::string_view magic =
      "\x7f"
      "ELF";
  if (!text_of(head_).starts_with(magic)) return fail(ErrorCode::bad_input, "is not an ELF file");
  if (head_.size() < elf_header_size) return broken("it ends within its header");
  const auto byte = [&](std::size_t at) { return std::to_integer<int>(head_[at]); };
  if (byte(4) != 2) return fail(ErrorCode::bad_input, "is a 32-bit ELF file, and only 64-bit ones are read");
  if (byte(5) != 1) return fail(ErrorCode::bad_input, "is a big-endian ELF file, and only little-endian ones are read");
  machine_ = number_at<std::uint16_t>(head_, 18);
  const auto segment_count = number_at<std::uint16_t>(head_, 56);
  const auto section_count = number_at<std::uint16_t>(head_, 60);
  if ((segment_count > 0 && number_at<std::uint16_t>(head_, 54) != elf_segment_size) ||
      (section_count > 0 && number_at<std::uint16_t>(head_, 58) != elf_section_size))
    return broken("its tables have entries of a size that no such file has");
  segment_table_ = {number_at<std::uint64_t>(head_, 32), segment_count * elf_segment_size};
  section_table_ = {number_at<std::uint64_t>(head_, 40), section_count * elf_section_size};
  section_names_ = number_at<std::uint16_t>(head_, 62);
  for (const auto& [offset, size] : {segment_table_, section_table_})
    if (size > 0 && !lies_inside(offset, size, file_size_)) return broken("a table lies outside");
  header_read_ = true;
  return {};
}

Expected<void> ElfReader::read_segments() {
  const auto table = *kept(segment_table_);
  for (std::size_t at = 0; at < table.size(); at += elf_segment_size) {
    const auto type = number_at<std::uint32_t>(table, at);
    const Segment segment{number_at<std::uint64_t>(table, at + 16),
                          {number_at<std::uint64_t>(table, at + 8), number_at<std::uint64_t>(table, at + 32)}};
    if (type != segment_load && type != segment_dynamic) continue;
    if (!lies_inside(segment.place.offset, segment.place.size, file_size_)) return broken("a segment lies outside");
    if (type == segment_load) segments_.push_back(segment);
    if (type == segment_dynamic) dynamic_ = segment.place;
  }
  if (dynamic_ && dynamic_->size > largest_dynamic) return broken("its dynamic section is larger than any library has");
  return {};
}

std::optional<Bytes> ElfReader::kept(Range range) const {
  const auto within = [&](std::uint64_t from, const std::vector<std::byte>& bytes) -> std::optional<Bytes> {
    if (range.offset < from || !lies_inside(range.offset - from, range.size, bytes.size())) return std::nullopt;
    return Bytes(bytes).subspan(static_cast<std::size_t>(range.offset - from), static_cast<std::size_t>(range.size));
  };
  if (auto found = within(0, head_)) return found;
  if (auto found = within(tail_offset_, tail_)) return found;
  if (dynamic_) {
    if (auto found = within(dynamic_->offset, dynamic_bytes_)) return found;
  }
  for (const auto& part : given_)
    if (auto found = within(part.range.offset, part.bytes)) return found;
  return std::nullopt;
}

std::optional<std::uint64_t> ElfReader::offset_of(std::uint64_t address) const {
  for (const auto& segment : segments_)
    if (address >= segment.address && address - segment.address < segment.place.size)
      return segment.place.offset + (address - segment.address);
  return std::nullopt;
}

Expected<std::string> ElfReader::name_at(Range names, std::uint64_t offset, std::optional<Range>& lacks) const {
  if (offset >= names.size) return broken("a name lies outside of its table");
  const Range wanted{names.offset + offset, std::min(names.size - offset, longest_name)};
  const auto bytes = kept(wanted);
  if (!bytes) {
    lacks = names;
    return std::string();
  }
  const auto text = text_of(*bytes);
  const auto end = text.find('\0');
  if (end == std::string_view::npos) return broken("a name has no end");
  const auto name = text.substr(0, end);
  if (holds_control(name)) return broken(fmt::format("the name {} holds a control character", in_quotes(name)));
  return std::string(name);
}

Expected<ElfReader::Result> ElfReader::read_tables() const {
  Result result;
  if (!header_read_) return fail(ErrorCode::bad_input, "is not an ELF file");
  if (at_ != file_size_) return broken("it ends too early");
  if (!dynamic_) return result;
  const auto table = kept(*dynamic_);
  if (!table) {
    result.lacks = dynamic_;
    return result;
  }
  std::vector<std::uint64_t> needed;
  std::uint64_t names_address = 0;
  std::uint64_t versions_address = 0;
  std::uint64_t versions_count = 0;
  Range names;
  for (std::size_t at = 0; at + elf_dynamic_size <= table->size(); at += elf_dynamic_size) {
    const auto tag = number_at<std::uint64_t>(*table, at);
    const auto value = number_at<std::uint64_t>(*table, at + 8);
    if (tag == tag_end) break;
    if (tag == tag_needed) needed.push_back(value);
    if (tag == tag_names) names_address = value;
    if (tag == tag_names_size) names.size = value;
    if (tag == tag_versions) versions_address = value;
    if (tag == tag_versions_count) versions_count = value;
  }
  if (needed.empty() && versions_address == 0) return result;
  const auto names_offset = offset_of(names_address);
  if (!names_offset || names.size > largest_names || !lies_inside(*names_offset, names.size, file_size_))
    return broken("the table of its names lies outside");
  names.offset = *names_offset;
  for (const auto offset : needed) {
    auto name = name_at(names, offset, result.lacks);
    if (!name) return tl::unexpected(name.error());
    if (result.lacks) return result;
    result.linkage.needed.push_back(std::move(*name));
  }
  if (versions_address == 0) return result;
  const auto versions = offset_of(versions_address);
  if (!versions) return broken("the table of the versions it needs lies outside");
  if (auto read = read_versions(*versions, versions_count, names, result); !read) return tl::unexpected(read.error());
  return result;
}

Expected<void> ElfReader::read_versions(std::uint64_t at, std::uint64_t count, Range names, Result& result) const {
  constexpr std::uint64_t entry_size = 16;
  constexpr std::uint64_t most = 10'000;
  constexpr std::uint64_t usual_table = std::uint64_t{64} * 1024;
  const auto entry = [&](std::uint64_t offset) -> Expected<Bytes> {
    if (!lies_inside(offset, entry_size, file_size_)) return broken("the table of the versions it needs lies outside");
    if (auto bytes = kept({offset, entry_size})) return *bytes;
    result.lacks = Range{offset, std::min(usual_table, file_size_ - offset)};
    return Bytes();
  };
  std::uint64_t read = 0;
  for (std::uint64_t file = 0; file < std::min(count, most); ++file) {
    const auto of_file = entry(at);
    if (!of_file || result.lacks) return of_file ? Expected<void>() : tl::unexpected(of_file.error());
    const auto versions = number_at<std::uint16_t>(*of_file, 2);
    auto version_at = at + number_at<std::uint32_t>(*of_file, 8);
    for (int i = 0; i < versions; ++i) {
      if (++read > most) return broken("it needs more versions than any library has");
      const auto version = entry(version_at);
      if (!version || result.lacks) return version ? Expected<void>() : tl::unexpected(version.error());
      const auto name = name_at(names, number_at<std::uint32_t>(*version, 8), result.lacks);
      if (!name || result.lacks) return name ? Expected<void>() : tl::unexpected(name.error());
      constexpr std::string_view glibc = "GLIBC_";
      // GLIBC_PRIVATE and GLIBC_ABI_DT_RELR are no release.
      if (name->starts_with(glibc)) {
        const auto release = Version::parse(std::string_view(*name).substr(glibc.size()));
        if (release && *release > result.linkage.glibc) result.linkage.glibc = *release;
      }
      version_at += number_at<std::uint32_t>(*version, 12);
    }
    at += number_at<std::uint32_t>(*of_file, 12);
  }
  return {};
}

Expected<std::optional<Range>> ElfReader::lacks() const {
  const auto read = read_tables();
  if (!read) return tl::unexpected(read.error());
  return read->lacks;
}

void ElfReader::give(Range range, std::vector<std::byte> bytes) { given_.push_back({range, std::move(bytes)}); }

std::string ElfReader::machine() const {
  constexpr int x86_64 = 62;
  constexpr int aarch64 = 183;
  return machine_ == x86_64 ? "x86_64" : machine_ == aarch64 ? "aarch64" : fmt::format("machine {}", machine_);
}

Expected<std::optional<Linkage>> ElfReader::linkage() const {
  auto read = read_tables();
  if (!read) return tl::unexpected(read.error());
  if (read->lacks) return std::optional<Linkage>();
  return std::optional(std::move(read->linkage));
}

std::vector<Section> ElfReader::sections() const {
  const auto table = kept(section_table_);
  if (!table || section_names_ >= table->size() / elf_section_size) return {};
  const auto place_of = [&](std::size_t index) {
    const auto at = index * elf_section_size;
    return Range{number_at<std::uint64_t>(*table, at + 24), number_at<std::uint64_t>(*table, at + 32)};
  };
  const auto names = kept(place_of(section_names_));
  if (!names) return {};
  std::vector<Section> result;
  for (std::size_t i = 0; i < table->size() / elf_section_size; ++i) {
    const auto name = number_at<std::uint32_t>(*table, i * elf_section_size);
    if (number_at<std::uint32_t>(*table, i * elf_section_size + 4) == section_without_bytes || name >= names->size()) continue;
    const auto text = text_of(*names).substr(name);
    result.push_back({std::string(text.substr(0, text.find('\0'))), place_of(i)});
  }
  return result;
}

}  // namespace envgen::inspect
