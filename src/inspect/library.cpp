#include "inspect/library.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "inspect/elf.hpp"
#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

/// The list that torch was compiled with (CUDA_ARCH_FLAGS) stands as one text in libtorch_python: `sm_75 sm_80 compute_120`. It
/// ends with a zero, and need not begin behind one: compilers put pieces of other texts before it. One word alone can be
/// anything, so it is believed only where there is no other such text.
std::optional<Targets> find_arch_list(Bytes bytes) {
  auto text = text_of(bytes);
  constexpr std::size_t longest = 1024;
  std::vector<std::string_view> single;
  for (auto at = text.find(sass_prefix); at != std::string_view::npos; at = text.find(sass_prefix)) {
    text.remove_prefix(at);
    const auto words = text.substr(0, std::min(text.substr(0, longest).find('\0'), text.size()));
    const auto targets = parse_targets(words);
    text.remove_prefix(targets ? words.size() : sass_prefix.size());
    if (!targets) continue;
    if (words.find(' ') != std::string_view::npos) return *targets;
    if (std::find(single.begin(), single.end(), words) == single.end()) single.push_back(words);
  }
  if (single.size() != 1) return std::nullopt;
  return *parse_targets(single.front());
}

bool is_libtorch_python(std::string_view path) { return path.substr(path.rfind('/') + 1).starts_with("libtorch_python."); }

}  // namespace

LibraryReader::LibraryReader(std::string path, std::uint64_t size, std::string origin)
    : path_(std::move(path)), size_(size), origin_(std::move(origin)), kept_(size), fatbins_(size) {}

bool LibraryReader::is_elf(Bytes beginning) {
  return text_of(beginning).starts_with(
      "\x7F"
      "ELF");
}

bool LibraryReader::fails(std::string problem) {
  problem_ = std::move(problem);
  return false;
}

tl::unexpected<Error> LibraryReader::problem() const {
  const auto whose = path_.empty() ? std::string("the library") : in_quotes(path_);
  return fail(ErrorCode::bad_input, fmt::format("cannot read {}: {}", whose, *problem_), origin_);
}

bool LibraryReader::read_header() {
  const auto header = kept_.from(0, elf::header_size);
  if (header.size() < std::min<std::uint64_t>(elf::header_size, size_)) return true;  // later
  if (!header_read_) {
    if (auto wrong = elf::problem_of_header(header, size_)) return fails(std::move(*wrong));
  }
  const auto table = elf::segment_table(header);
  if (kept_.passed() < table.offset + table.size) return true;
  header_read_ = true;
  const auto segments = kept_.at(table.offset, table.size);
  const auto dynamic = segments ? elf::dynamic_section(*segments) : std::nullopt;
  if (!dynamic) return true;
  if (!lies_inside(dynamic->offset, dynamic->size, size_))
    return fails("it is truncated: its dynamic section is outside the file");
  constexpr std::uint64_t largest = std::uint64_t{1} << 20;  // 65,536 entries; large libraries have fifty
  if (dynamic->size > largest) return fails("its dynamic section is too large");
  if (dynamic->offset >= kept_.passed()) kept_.keep(dynamic->offset, dynamic->size);
  return true;
}

bool LibraryReader::feed(Bytes bytes) {
  // The first piece apart and short, so that a dynamic section in the middle of the file is known before it passes by.
  while (!bytes.empty() && !problem_) {
    constexpr std::size_t step = 4096;
    const auto piece = bytes.first(header_read_ ? bytes.size() : std::min(step, bytes.size()));
    bytes = bytes.subspan(piece.size());
    kept_.feed(piece);
    if (!header_read_ && !read_header()) return false;
    if (!fatbins_.feed(piece)) return fails(*fatbins_.problem());
  }
  return !problem_;
}

Expected<Library> LibraryReader::finish() {
  if (problem_) return problem();
  if (kept_.passed() < elf::header_size) {
    fails(*elf::problem_of_header(kept_.head(), size_));
    return problem();
  }
  Library library;
  library.path = path_;
  const auto registered = elf::find_section(kept_, ".nv_fatbin");
  const bool sections_known = registered || elf::find_section(kept_, ".dynamic") || elf::find_section(kept_, ".text");
  std::vector<const Targets*> all;
  for (const auto& fatbin : fatbins_.found()) {
    const bool inside = registered ? fatbin.offset >= registered->offset && fatbin.offset - registered->offset < registered->size
                                   : !sections_known;
    (inside ? library.targets : library.embedded).add(fatbin.targets);
    if (inside) all.push_back(&fatbin.targets);
  }
  library.fatbins = all.size();
  library.built_for = of_most(all);
  auto dynamic = elf::read_dynamic(kept_, origin_);
  if (!dynamic) {
    fails(dynamic.error().message);
    return problem();
  }
  if (*dynamic) {
    library.needed = std::move((*dynamic)->needed);
    library.glibc = (*dynamic)->glibc;
  }
  if (is_libtorch_python(path_)) library.arch_list = find_arch_list(kept_.head());
  return library;
}

}  // namespace envgen::inspect
