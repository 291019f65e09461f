#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/zip_maker.hpp"

/// Libraries with GPU code in memory, honest ones and others.
namespace envgen::test {

struct Code {
  int kind = 2;  ///< 1 PTX, 2 machine code
  int sm = 80;
  std::uint64_t flags = 0x11;
  std::size_t header = 64;
  std::size_t size = 40;
};

inline std::string fatbin_of(const std::vector<Code>& codes) {
  std::string entries;
  for (const auto& code : codes) {
    const auto begin = entries.size();
    put(entries, static_cast<std::uint64_t>(code.kind), 2);
    put(entries, 0x101, 2);
    put(entries, code.header, 4);
    put(entries, code.size, 8);
    put(entries, 0, 8);
    put(entries, 0x0001'0007, 4);
    put(entries, static_cast<std::uint64_t>(code.sm), 4);
    put(entries, 0, 8);
    put(entries, code.flags, 8);
    entries.resize(begin + code.header);
    entries += std::string(code.size, 'c');
  }
  std::string bytes;
  put(bytes, 0xBA55ED50, 4);
  put(bytes, 0x0010'0001, 4);
  put(bytes, entries.size(), 8);
  return bytes + entries;
}

struct Needed {
  std::string library;
  std::vector<std::string> versions = {};
};

struct ElfShape {
  std::vector<Needed> needed = {};
  std::string fatbin = {};  ///< in .nv_fatbin
  std::string data = {};    ///< in .rodata
  bool sections = true;
  std::size_t before_dynamic = 0;  ///< bytes between the header and everything
};

struct ElfFile {
  std::string bytes;
  std::size_t dynamic = 0;  ///< where its dynamic section lies
  std::size_t versions = 0;
};

inline ElfFile elf_of(const ElfShape& shape) {
  std::string strings(1, '\0');
  const auto add_string = [&](const std::string& text) {
    const auto place = strings.size();
    strings += text + '\0';
    return place;
  };
  std::string versions;
  std::string dynamic;
  for (std::size_t i = 0; i < shape.needed.size(); ++i) {
    const auto& needed = shape.needed[i];
    put(dynamic, 1, 8);
    put(dynamic, add_string(needed.library), 8);
    put(versions, 1, 2);
    put(versions, needed.versions.size(), 2);
    put(versions, 0, 4);
    put(versions, 16, 4);
    put(versions, i + 1 == shape.needed.size() ? 0 : 16 * (needed.versions.size() + 1), 4);
    for (std::size_t j = 0; j < needed.versions.size(); ++j) {
      put(versions, 0, 8);
      put(versions, add_string(needed.versions[j]), 4);
      put(versions, j + 1 == needed.versions.size() ? 0 : 16, 4);
    }
  }
  constexpr std::uint64_t base = 0x10000;  // addresses are no offsets
  std::string bytes(64 + 2 * 56, '\0');
  bytes += std::string(shape.before_dynamic, 'x');
  const auto aligned = [&] {
    while (bytes.size() % 8 != 0) bytes += '\0';
    return bytes.size();
  };
  const auto strings_at = aligned();
  bytes += strings;
  ElfFile file;
  file.versions = aligned();
  bytes += versions;
  for (const auto& [tag, value] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{{5, base + strings_at},
                                                                                       {10, strings.size()},
                                                                                       {0x6FFFFFFE, base + file.versions},
                                                                                       {0x6FFFFFFF, shape.needed.size()},
                                                                                       {0, 0}}) {
    put(dynamic, tag, 8);
    put(dynamic, value, 8);
  }
  file.dynamic = aligned();
  bytes += dynamic;
  const auto data_at = aligned();
  bytes += shape.data;
  const auto fatbin_at = aligned();
  bytes += shape.fatbin;
  const std::string names("\0.rodata\0.nv_fatbin\0.shstrtab\0.text\0", 36);
  const auto names_at = aligned();
  bytes += names;
  const auto sections_at = aligned();
  const auto section = [&](std::size_t name, std::size_t offset, std::size_t size) {
    put(bytes, name, 4);
    put(bytes, 1, 4);
    put(bytes, 0, 16);
    put(bytes, offset, 8);
    put(bytes, size, 8);
    put(bytes, 0, 24);
  };
  if (shape.sections) {
    section(1, data_at, shape.data.size());
    section(9, fatbin_at, shape.fatbin.size());
    section(20, names_at, names.size());
    section(30, 0, 0);
  }
  bytes.replace(0, 7,
                std::string("\x7F"
                            "ELF\x02\x01\x01",
                            7));
  overwrite(bytes, 16, 3, 2);
  overwrite(bytes, 32, 64, 8);
  overwrite(bytes, 54, 56, 2);
  overwrite(bytes, 56, 2, 2);
  if (shape.sections) {
    overwrite(bytes, 40, sections_at, 8);
    overwrite(bytes, 58, 64, 2);
    overwrite(bytes, 60, 4, 2);
    overwrite(bytes, 62, 2, 2);
  }
  // PT_LOAD of the whole file, PT_DYNAMIC.
  overwrite(bytes, 64, 1, 4);
  overwrite(bytes, 64 + 16, base, 8);
  overwrite(bytes, 64 + 32, bytes.size(), 8);
  overwrite(bytes, 120, 2, 4);
  overwrite(bytes, 120 + 8, file.dynamic, 8);
  overwrite(bytes, 120 + 16, base + file.dynamic, 8);
  overwrite(bytes, 120 + 32, dynamic.size(), 8);
  file.bytes = std::move(bytes);
  return file;
}

}  // namespace envgen::test
