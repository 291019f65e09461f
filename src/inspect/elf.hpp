#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inspect/kept_bytes.hpp"
#include "model/error.hpp"
#include "model/version.hpp"

/// The tables of an ELF file (System V ABI, ELF-64 object file format), as far as they were kept of it.
namespace envgen::inspect::elf {

inline constexpr std::size_t header_size = 64;

/// What is wrong with the header of a file, which begins with `header`; none: nothing.
std::optional<std::string> problem_of_header(Bytes header, std::uint64_t size);

struct Range {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// Where the table of segments lies.
Range segment_table(Bytes header);
/// Where the dynamic section lies, by that table; none: the file has none.
std::optional<Range> dynamic_section(Bytes segments);

struct Dynamic {
  std::vector<std::string> needed;
  Version glibc;  ///< 0.0: none is needed
};
/// None: a part of the tables was not kept. Errors (bad_input): they contradict each other.
Expected<std::optional<Dynamic>> read_dynamic(const KeptBytes& kept, const std::string& origin);

/// Where a section of this name lies; none: there is none, or no table of sections was kept.
std::optional<Range> find_section(const KeptBytes& kept, std::string_view name);

}  // namespace envgen::inspect::elf
