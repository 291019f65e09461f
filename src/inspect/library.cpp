#include "inspect/library.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

constexpr std::string_view list_library = "libtorch_python.so";
constexpr std::string_view relocatable_section = "__nv_relfatbin";

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// `sm_90a` or `compute_120`.
std::optional<GpuCode> target_of(std::string_view word) {
  constexpr std::string_view machine_code = "sm_";
  constexpr std::string_view ptx = "compute_";
  const auto kind = word.starts_with(ptx) ? CodeKind::ptx : CodeKind::sass;
  const auto prefix = kind == CodeKind::ptx ? ptx : machine_code;
  if (!word.starts_with(prefix)) return std::nullopt;
  const auto arch = Arch::parse(word);
  if (!arch) return std::nullopt;
  return GpuCode{kind, *arch};
}

std::vector<GpuCode> targets_of(std::string_view text) {
  std::vector<GpuCode> result;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto target = target_of(text.substr(0, end));
    if (!target) return {};
    result.push_back(*target);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

/// The fatbins that a program loads. Those that only a device linker reads lie in a section of their own; NVIDIA's cuobjdump,
/// too, looks at them only where there are no others.
std::vector<Fatbin> loadable(std::vector<Fatbin> all, const std::vector<Section>& sections) {
  std::vector<Fatbin> result;
  for (const auto& fatbin : all) {
    const bool relocatable = std::any_of(sections.begin(), sections.end(), [&](const auto& section) {
      return section.name == relocatable_section && fatbin.offset >= section.place.offset &&
             fatbin.offset - section.place.offset < section.place.size;
    });
    if (!relocatable) result.push_back(fatbin);
  }
  return result.empty() ? std::move(all) : std::move(result);
}

}  // namespace

std::vector<Arch> Library::built_for(CodeKind kind) const {
  std::uint64_t most = 0;
  for (const auto& each : compiled)
    if (each.code.kind == kind) most = std::max(most, each.fatbins);
  std::vector<Arch> result;
  for (const auto& each : compiled)
    if (each.code.kind == kind && each.fatbins == most) result.push_back(each.code.arch);
  return result;
}

void ArchListScan::take(std::string_view piece) {
  constexpr std::size_t longest = 1000;
  while (!piece.empty()) {
    const auto end = std::min(piece.find('\0'), piece.size());
    run_ += piece.substr(end - std::min(end, longest), std::min(end, longest));
    if (run_.size() > longest) run_.erase(0, run_.size() - longest);
    if (end < piece.size()) end_of_text();
    piece.remove_prefix(std::min(end + 1, piece.size()));
  }
}

void ArchListScan::end_of_text() {
  // It may follow another text without a byte between them, so it is looked for from its end.
  std::string_view left = run_;
  auto begin = left.size();
  for (;;) {
    const auto space = left.rfind(' ');
    const auto word_begin = space == std::string_view::npos ? 0 : space + 1;
    const auto word = left.substr(word_begin);
    const auto target = std::min(word.rfind("sm_"), word.rfind("compute_"));
    if (target == std::string_view::npos || !target_of(word.substr(target))) break;
    begin = word_begin + target;
    if (target != 0 || word_begin == 0) break;
    left = left.substr(0, space);
  }
  if (run_.size() - begin > longest_.size()) longest_ = run_.substr(begin);
  run_.clear();
}

LibraryReader::LibraryReader(std::string name, std::uint64_t size)
    : name_(std::move(name)), elf_(size), fatbins_(size), has_list_(file_name(name_).starts_with(list_library)) {}

bool LibraryReader::take(Bytes piece) {
  if (error_) return false;
  if (has_list_) list_.take(text_of(piece));
  auto read = elf_.take(piece);
  if (read) read = fatbins_.take(piece);
  if (!read) error_ = read.error();
  return !error_;
}

std::optional<Range> LibraryReader::lacks() {
  if (error_) return std::nullopt;
  const auto range = elf_.lacks();
  if (!range) error_ = range.error();
  return range ? *range : std::nullopt;
}

Error LibraryReader::named(const Error& error, const std::string& origin) const {
  return {error.code,
          fmt::format("{}{} {}", in_quotes(name_), error.message.starts_with("the ") ? ":" : "", error.message),
          origin,
          {}};
}

Expected<Library> LibraryReader::finish(const std::string& origin) {
  if (error_) return tl::unexpected(named(*error_, origin));
  auto linkage = elf_.linkage();
  if (!linkage) return tl::unexpected(named(linkage.error(), origin));
  auto all = fatbins_.finish();
  if (!all) return tl::unexpected(named(all.error(), origin));
  Library result;
  result.name = name_;
  result.machine = elf_.machine();
  result.linkage = std::move(*linkage);
  const auto fatbins = loadable(std::move(*all), elf_.sections());
  std::map<GpuCode, std::uint64_t> counts;
  for (const auto& fatbin : fatbins) {
    if (!fatbin.code.empty()) ++result.fatbins;  // some hold nothing but what a linker optimises
    for (const auto& code : fatbin.code) ++counts[code];
  }
  for (const auto& [code, count] : counts) result.compiled.push_back({code, count});
  for (const auto& target : targets_of(list_.text()))
    (target.kind == CodeKind::sass ? result.listed_sass : result.listed_ptx).push_back(target.arch);
  return result;
}

Expected<Library> read_library(util::ByteSource& source, const std::string& name, const std::string& origin) {
  constexpr std::size_t piece_size = std::size_t{1} << 20;
  LibraryReader reader(name, source.size());
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(piece_size, source.size())));
  for (std::uint64_t at = 0; at < source.size();) {
    const auto piece =
        std::span(buffer).first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), source.size() - at)));
    if (auto got = source.read(at, piece); !got) return tl::unexpected(got.error());
    if (!reader.take(piece)) break;
    at += piece.size();
  }
  while (const auto range = reader.lacks()) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(range->size));
    if (auto got = source.read(range->offset, bytes); !got) return tl::unexpected(got.error());
    reader.give(*range, std::move(bytes));
  }
  return reader.finish(origin);
}

bool is_library_name(std::string_view path) {
  const auto name = file_name(path);
  const auto place = name.find(".so");
  return place != std::string_view::npos && place > 0 && (place + 3 == name.size() || name[place + 3] == '.');
}

bool is_cuda_library(std::string_view name) {
  constexpr std::array<std::string_view, 24> stems{
      "libcuda",   "libcudart",  "libcublas",       "libcublasLt",   "libcudnn",      "libcufft",
      "libcufftw", "libcurand",  "libcusolver",     "libcusolverMg", "libcusparse",   "libcusparseLt",
      "libcufile", "libcupti",   "libnvrtc",        "libnvJitLink",  "libnvToolsExt", "libnvjpeg",
      "libnccl",   "libnvshmem", "libnvshmem_host", "libcudss",      "libnvinfer",    "libnvidia-ml"};
  // A wheel that carries one along may have added a hash to its name: libcudart-d0da41ae.so.11.0, libcudart.3eda8113.so.13.
  const auto stem = name.substr(0, name.find('.'));
  return std::any_of(stems.begin(), stems.end(), [&](auto known) {
    return stem == known || (stem.starts_with(known) && stem.size() > known.size() && stem[known.size()] == '-') ||
           (known == "libcudnn" && stem.starts_with("libcudnn_"));
  });
}

}  // namespace envgen::inspect
