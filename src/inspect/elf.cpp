#include "inspect/elf.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::inspect::elf {
namespace {

constexpr std::uint32_t segment_load = 1;
constexpr std::uint32_t segment_dynamic = 2;
constexpr std::size_t segment_size = 56;
constexpr std::size_t section_size = 64;
constexpr std::size_t dynamic_size = 16;
constexpr std::size_t need_size = 16;
constexpr std::uint64_t longest_string = 4096;

std::uint16_t u16(Bytes bytes, std::size_t offset) { return number_at<std::uint16_t>(bytes, offset); }
std::uint32_t u32(Bytes bytes, std::size_t offset) { return number_at<std::uint32_t>(bytes, offset); }
std::uint64_t u64(Bytes bytes, std::size_t offset) { return number_at<std::uint64_t>(bytes, offset); }

Range section_table(Bytes header) { return {u64(header, 40), std::uint64_t{u16(header, 60)} * section_size}; }

/// What the dynamic section points at.
struct Pointers {
  std::vector<std::uint64_t> needed;  ///< in the string table
  std::optional<std::uint64_t> strings;
  std::uint64_t strings_size = 0;
  std::optional<std::uint64_t> versions;
  std::uint64_t versions_count = 0;
};

Pointers pointers_of(Bytes dynamic) {
  Pointers pointers;
  for (std::size_t i = 0; i + dynamic_size <= dynamic.size(); i += dynamic_size) {
    const auto value = u64(dynamic, i + 8);
    switch (u64(dynamic, i)) {
      case 0:  // DT_NULL
        return pointers;
      case 1:  // DT_NEEDED
        pointers.needed.push_back(value);
        break;
      case 5:  // DT_STRTAB
        pointers.strings = value;
        break;
      case 10:  // DT_STRSZ
        pointers.strings_size = value;
        break;
      case 0x6FFF'FFFE:  // DT_VERNEED
        pointers.versions = value;
        break;
      case 0x6FFF'FFFF:  // DT_VERNEEDNUM
        pointers.versions_count = value;
        break;
      default:
        break;
    }
  }
  return pointers;
}

/// Where what is loaded at an address stands in the file.
std::optional<std::uint64_t> offset_of(Bytes segments, std::uint64_t address) {
  for (std::size_t i = 0; i + segment_size <= segments.size(); i += segment_size) {
    const auto begin = u64(segments, i + 16);
    if (u32(segments, i) == segment_load && address >= begin && address - begin < u64(segments, i + 32))
      return u64(segments, i + 8) + (address - begin);
  }
  return std::nullopt;
}

/// Reads the tables by what the dynamic section says.
class Tables {
 public:
  Tables(const KeptBytes& kept, Bytes segments, Pointers pointers)
      : kept_(kept), segments_(segments), pointers_(std::move(pointers)) {}

  /// False: `problem` says what is wrong, or the tables were not kept.
  bool read(Dynamic& dynamic) {
    for (const auto place : pointers_.needed) {
      auto name = string_at(place);
      if (!name) return false;
      dynamic.needed.push_back(std::move(*name));
    }
    return read_versions(dynamic.glibc);
  }
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  bool fails(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  std::optional<std::string> string_at(std::uint64_t place) {
    if (!pointers_.strings || place >= pointers_.strings_size) {
      fails("a name is outside its string table");
      return std::nullopt;
    }
    const auto offset = offset_of(segments_, *pointers_.strings);
    if (!offset) {
      fails("its string table is missing");
      return std::nullopt;
    }
    if (!lies_inside(*offset, pointers_.strings_size, kept_.size())) {
      fails("its string table is outside the file");
      return std::nullopt;
    }
    const auto bytes = kept_.from(*offset + place, std::min(longest_string, pointers_.strings_size - place));
    if (bytes.empty()) return std::nullopt;
    const auto text = text_of(bytes);
    const auto end = text.find('\0');
    if (end == std::string_view::npos) {
      fails("a name in its string table is not terminated");
      return std::nullopt;
    }
    return std::string(text.substr(0, end));
  }

  /// Each library of which versions are needed has a record, followed by those of its versions; both are chained by distances.
  bool read_versions(Version& glibc) {
    glibc = Version(0, 0);
    if (!pointers_.versions) return true;
    const auto table = offset_of(segments_, *pointers_.versions);
    if (!table) return fails("its version requirements table is missing");
    auto record = *table;
    for (std::uint64_t i = 0; i < pointers_.versions_count; ++i) {
      const auto need = version_record(record);
      if (!need) return false;
      auto version = record + u32(*need, 8);
      for (unsigned j = 0; j < u16(*need, 2); ++j) {
        const auto aux = version_record(version);
        if (!aux) return false;
        const auto name = string_at(u32(*aux, 8));
        if (!name) return false;
        raise(glibc, *name);
        if (u32(*aux, 12) == 0) break;
        version += u32(*aux, 12);
      }
      if (u32(*need, 12) == 0) break;
      record += u32(*need, 12);
    }
    return true;
  }

  /// Of a library or of a version: both have the same size.
  std::optional<Bytes> version_record(std::uint64_t offset) {
    constexpr int most = 65'536;  // no library needs a hundred
    if (++version_records_ > most) {
      fails("its version requirements table is not terminated");
      return std::nullopt;
    }
    if (!lies_inside(offset, need_size, kept_.size())) {
      fails("its version requirements table is outside the file");
      return std::nullopt;
    }
    return kept_.at(offset, need_size);
  }

  static void raise(Version& glibc, std::string_view name) {
    constexpr std::string_view prefix = "GLIBC_";
    if (!name.starts_with(prefix)) return;
    // A linker adds it where relocations are packed in a way that glibc reads since 2.36.
    const auto version =
        name == "GLIBC_ABI_DT_RELR" ? Version(2, 36) : Version::parse(name.substr(prefix.size())).value_or(Version());
    if (version && version > glibc) glibc = version;
  }

  const KeptBytes& kept_;
  Bytes segments_;
  Pointers pointers_;
  int version_records_ = 0;
  std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> problem_of_header(Bytes header, std::uint64_t size) {
  constexpr std::string_view magic =
      "\x7F"
      "ELF";
  if (!text_of(header).starts_with(magic)) return "it is not an ELF file";
  if (header.size() < header_size) return "its header is truncated";
  const auto bits = std::to_integer<int>(header[4]);
  if (bits != 2) return bits == 1 ? "it is 32-bit, and only 64-bit ELF files are supported" : "its ELF header is damaged";
  const auto order = std::to_integer<int>(header[5]);
  if (order != 1)
    return order == 2 ? "it is big-endian, and only little-endian ELF files are supported" : "its ELF header is damaged";
  const auto segments = segment_table(header);
  const auto sections = section_table(header);
  if ((segments.size > 0 && u16(header, 54) != segment_size) || (sections.size > 0 && u16(header, 58) != section_size))
    return "its ELF header is damaged";
  if (!lies_inside(segments.offset, segments.size, size)) return "it is truncated: its segment table is outside the file";
  if (!lies_inside(sections.offset, sections.size, size)) return "it is truncated: its section table is outside the file";
  return std::nullopt;
}

Range segment_table(Bytes header) { return {u64(header, 32), std::uint64_t{u16(header, 56)} * segment_size}; }

std::optional<Range> dynamic_section(Bytes segments) {
  for (std::size_t i = 0; i + segment_size <= segments.size(); i += segment_size) {
    if (u32(segments, i) == segment_dynamic) return Range{u64(segments, i + 8), u64(segments, i + 32)};
  }
  return std::nullopt;
}

Expected<std::optional<Dynamic>> read_dynamic(const KeptBytes& kept, const std::string& origin) {
  const auto header = kept.at(0, header_size);
  if (!header) return std::nullopt;
  const auto table = segment_table(*header);
  const auto segments = kept.at(table.offset, table.size);
  if (!segments && table.size > 0) return std::nullopt;
  const auto section = segments ? dynamic_section(*segments) : std::nullopt;
  if (!section) return Dynamic{{}, Version(0, 0)};
  const auto dynamic = kept.at(section->offset, section->size);
  if (!dynamic) return std::nullopt;
  Tables tables(kept, *segments, pointers_of(*dynamic));
  Dynamic result;
  if (tables.read(result)) return result;
  if (tables.problem()) return fail(ErrorCode::bad_input, *tables.problem(), origin);
  return std::nullopt;
}

std::optional<Range> find_section(const KeptBytes& kept, std::string_view name) {
  const auto header = kept.at(0, header_size);
  if (!header) return std::nullopt;
  const auto table = section_table(*header);
  const auto sections = kept.at(table.offset, table.size);
  const std::size_t names_index = u16(*header, 62);
  if (!sections || names_index * section_size + section_size > sections->size()) return std::nullopt;
  const auto range_of = [&](std::size_t index) {
    return Range{u64(*sections, index * section_size + 24), u64(*sections, index * section_size + 32)};
  };
  const auto names = range_of(names_index);
  for (std::size_t i = 0; i < sections->size() / section_size; ++i) {
    const auto place = u32(*sections, i * section_size);
    if (place >= names.size) continue;
    const auto text = text_of(kept.from(names.offset + place, std::min<std::uint64_t>(name.size() + 1, names.size - place)));
    if (text.size() == name.size() + 1 && text.starts_with(name) && text.back() == '\0') return range_of(i);
  }
  return std::nullopt;
}

}  // namespace envgen::inspect::elf
