#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/zip_maker.hpp"

/// Shared libraries in memory, with as much in them as inspect/ reads.
namespace envgen::test {

struct CodeEntry {
  int kind = 2;  ///< 1 PTX, 2 machine code
  std::uint32_t target = 90;
  std::uint64_t flags = 0x11;
  std::size_t payload = 16;
};

inline std::string fatbin_of(const std::vector<CodeEntry>& entries) {
  std::string body;
  for (const auto& entry : entries) {
    put(body, static_cast<std::uint64_t>(entry.kind), 2);
    put(body, 0x0101, 2);
    put(body, 64, 4);
    put(body, entry.payload, 8);
    put(body, 0, 4);
    put(body, 0, 4);
    put(body, 0x00010007, 4);
    put(body, entry.target, 4);
    put(body, 0, 8);
    put(body, entry.flags, 8);
    put(body, 0, 16);
    body += std::string(entry.payload, 'p');
  }
  std::string bytes;
  put(bytes, 0xBA55ED50, 4);
  put(bytes, 1, 2);
  put(bytes, 16, 2);
  put(bytes, body.size(), 8);
  return bytes + body;
}

struct ElfShape {
  std::vector<std::string> needed = {};
  std::vector<std::string> versions = {};  ///< of libc.so.6: `GLIBC_2.17`
  std::string body = {};                   ///< of the section .nv_fatbin
  std::string relocatable = {};            ///< of the section __nv_relfatbin
  std::size_t before = 0;                  ///< bytes between the headers and the tables
  std::size_t after = 0;                   ///< bytes behind the body
  std::uint16_t machine = 62;
};

inline std::string elf_of(const ElfShape& shape) {
  constexpr std::uint64_t address_of_start = 0x1000;
  const auto align = [](std::string& bytes) { bytes.resize((bytes.size() + 7) / 8 * 8, '\0'); };
  std::string names(1, '\0');
  const auto name = [](std::string& table, const std::string& text) {
    const auto at = table.size();
    table += text + '\0';
    return at;
  };

  std::string bytes(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  bytes.resize(16, '\0');
  put(bytes, 3, 2);
  put(bytes, shape.machine, 2);
  bytes.resize(64 + 2 * 56 + shape.before, 'b');
  align(bytes);

  std::vector<std::pair<std::uint64_t, std::uint64_t>> dynamic;
  for (const auto& needed : shape.needed) dynamic.emplace_back(1, name(names, needed));
  std::string versions;
  if (!shape.versions.empty()) {
    put(versions, 1, 2);
    put(versions, shape.versions.size(), 2);
    put(versions, name(names, "libc.so.6"), 4);
    put(versions, 16, 4);
    put(versions, 0, 4);
    for (std::size_t i = 0; i < shape.versions.size(); ++i) {
      put(versions, 0, 8);
      put(versions, name(names, shape.versions[i]), 4);
      put(versions, i + 1 < shape.versions.size() ? 16 : 0, 4);
    }
  }
  const auto versions_at = bytes.size();
  bytes += versions;
  const auto names_at = bytes.size();
  bytes += names;
  align(bytes);
  dynamic.emplace_back(5, names_at + address_of_start);
  dynamic.emplace_back(10, names.size());
  if (!versions.empty()) {
    dynamic.emplace_back(0x6ffffffe, versions_at + address_of_start);
    dynamic.emplace_back(0x6fffffff, 1);
  }
  dynamic.emplace_back(0, 0);
  const auto dynamic_at = bytes.size();
  for (const auto& [tag, value] : dynamic) {
    put(bytes, tag, 8);
    put(bytes, value, 8);
  }
  const auto dynamic_size = bytes.size() - dynamic_at;

  std::string section_names(1, '\0');
  std::string sections(64, '\0');
  int section_count = 1;
  const auto section = [&](const std::string& title, std::size_t offset, std::size_t size) {
    put(sections, name(section_names, title), 4);
    put(sections, 1, 4);
    put(sections, 0, 16);
    put(sections, offset, 8);
    put(sections, size, 8);
    put(sections, 0, 24);
    ++section_count;
  };
  section(".nv_fatbin", bytes.size(), shape.body.size());
  bytes += shape.body;
  align(bytes);
  section("__nv_relfatbin", bytes.size(), shape.relocatable.size());
  bytes += shape.relocatable;
  bytes += std::string(shape.after, 'a');
  section(".shstrtab", bytes.size(), section_names.size() + 10);
  bytes += section_names;
  align(bytes);
  const auto sections_at = bytes.size();
  bytes += sections;

  std::string header;
  put(header, 1, 4);
  put(header, 0, 8);
  put(header, 64, 8);
  put(header, sections_at, 8);
  put(header, 0, 4);
  put(header, 64, 2);
  put(header, 56, 2);
  put(header, 2, 2);
  put(header, 64, 2);
  put(header, static_cast<std::uint64_t>(section_count), 2);
  put(header, static_cast<std::uint64_t>(section_count - 1), 2);
  const auto segment = [&](std::uint64_t type, std::uint64_t offset, std::uint64_t size) {
    put(header, type, 4);
    put(header, 4, 4);
    put(header, offset, 8);
    put(header, offset + address_of_start, 8);
    put(header, offset + address_of_start, 8);
    put(header, size, 8);
    put(header, size, 8);
    put(header, 8, 8);
  };
  segment(1, 0, bytes.size());
  segment(2, dynamic_at, dynamic_size);
  bytes.replace(20, header.size(), header);
  return bytes;
}

}  // namespace envgen::test
