#include "inspect/wheel.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

/// The largest METADATA that was seen has 300 KB, most of it a README.
constexpr std::uint64_t largest_text = std::uint64_t{16} << 20;
/// All that is unpacked of one wheel. The libraries of torch have 2 GB.
constexpr std::uint64_t largest_wheel = std::uint64_t{32} << 30;
constexpr std::string_view torch_version_file = "torch/version.py";

/// A part of a member that passed by: unpacked again as far as it.
Expected<std::vector<std::byte>> part_of(const Zip& archive, const ZipMember& member, Range range) {
  std::vector<std::byte> part(static_cast<std::size_t>(range.size));
  std::uint64_t at = 0;
  const auto unpacked = archive.unpack(member, [&](Bytes piece) {
    const auto begin = std::max(at, range.offset);
    const auto end = std::min(at + piece.size(), range.offset + range.size);
    if (begin < end)
      std::memcpy(part.data() + (begin - range.offset), piece.data() + (begin - at), static_cast<std::size_t>(end - begin));
    at += piece.size();
    return at < range.offset + range.size;
  });
  if (!unpacked) return tl::unexpected(unpacked.error());
  return part;
}

Expected<Library> read_member(const Zip& archive, const ZipMember& member, const std::string& origin) {
  LibraryReader reader(member.name, member.size);
  if (auto read = archive.unpack(member, [&](Bytes piece) { return reader.take(piece); }); !read)
    return tl::unexpected(read.error());
  while (const auto range = reader.lacks()) {
    auto part = part_of(archive, member, *range);
    if (!part) return tl::unexpected(part.error());
    reader.give(*range, std::move(*part));
  }
  return reader.finish(origin);
}

Expected<std::vector<Library>> read_libraries(const Zip& archive, const std::string& origin) {
  std::vector<const ZipMember*> members;
  std::uint64_t unpacked = 0;
  for (const auto& member : archive.members()) {
    if (!is_library_name(member.name)) continue;
    members.push_back(&member);
    unpacked += std::min(member.size, Zip::largest_member + 1);
  }
  if (unpacked > largest_wheel)
    return fail(ErrorCode::bad_input,
                fmt::format("the libraries in the wheel unpack to {} bytes, more than any wheel has", unpacked), origin);
  std::sort(members.begin(), members.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  std::vector<Library> result;
  for (const auto* member : members) {
    auto library = read_member(archive, *member, origin);
    if (!library) return tl::unexpected(library.error());
    result.push_back(std::move(*library));
  }
  return result;
}

/// What stands in quotes after `name` and a `=`, as in `cuda: Optional[str] = '12.8'`; empty where it is None or not there.
std::string assigned(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with(name) || line.size() == name.size() || (line[name.size()] != ':' && line[name.size()] != ' ')) continue;
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const auto value = without_spaces_around(line.substr(equals + 1));
    if (value.size() < 2 || (value.front() != '\'' && value.front() != '"') || value.back() != value.front() ||
        holds_control(value))
      return {};
    return std::string(value.substr(1, value.size() - 2));
  }
  return {};
}

bool has(const std::vector<GpuCode>& all, const GpuCode& code) { return std::find(all.begin(), all.end(), code) != all.end(); }

}  // namespace

Expected<WheelIndex> read_wheel_index(util::ByteSource& source, const std::string& origin) {
  auto archive = Zip::open(source, origin);
  if (!archive) return tl::unexpected(archive.error());
  constexpr std::string_view file = "METADATA";
  constexpr std::string_view folder_end = ".dist-info";
  const ZipMember* found = nullptr;
  for (const auto& member : archive->members()) {
    // Of the wheel itself: what a package carries along lies deeper.
    const std::string_view name = member.name;
    const auto slash = name.find('/');
    if (slash == std::string_view::npos || name.substr(slash + 1) != file || !name.substr(0, slash).ends_with(folder_end))
      continue;
    if (found != nullptr)
      return fail(ErrorCode::bad_input, "the archive is not a wheel: it has METADATA of several packages", origin);
    found = &member;
  }
  if (found == nullptr)
    return fail(ErrorCode::bad_input, "the archive is not a wheel: it has no METADATA in a .dist-info folder", origin);
  const auto text = archive->text(*found, largest_text);
  if (!text) return tl::unexpected(text.error());
  auto metadata = parse_metadata(*text, origin);
  if (!metadata) return tl::unexpected(metadata.error());
  auto folder = found->name.substr(0, found->name.find('/'));
  return WheelIndex{std::move(*archive), std::move(folder), std::move(*metadata)};
}

Version Binaries::glibc() const {
  Version newest;
  for (const auto& library : libraries)
    if (library.linkage) newest = std::max(newest, library.linkage->glibc);
  return newest;
}

std::vector<std::string> Binaries::cuda_libraries() const {
  std::vector<std::string> result;
  for (const auto& library : libraries) {
    if (!library.linkage) continue;
    for (const auto& name : library.linkage->needed) {
      const bool carried = std::any_of(libraries.begin(), libraries.end(), [&](const auto& other) {
        return std::string_view(other.name).substr(other.name.rfind('/') + 1) == name;
      });
      if (is_cuda_library(name) && !carried) result.push_back(name);
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

const Library* Binaries::largest() const {
  const auto found =
      std::max_element(libraries.begin(), libraries.end(), [](const auto& a, const auto& b) { return a.fatbins < b.fatbins; });
  return found == libraries.end() || found->fatbins == 0 ? nullptr : &*found;
}

std::vector<GpuCode> Binaries::compiled() const {
  std::vector<GpuCode> result;
  for (const auto& library : libraries)
    for (const auto& each : library.compiled) result.push_back(each.code);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::optional<Disagreement> disagreement(const Binaries& binaries) {
  const auto* largest = binaries.largest();
  if (!binaries.torch || largest == nullptr || (binaries.torch->sass.empty() && binaries.torch->ptx.empty())) return std::nullopt;
  std::vector<GpuCode> listed;
  for (const auto& arch : binaries.torch->sass) listed.push_back({CodeKind::sass, arch});
  for (const auto& arch : binaries.torch->ptx) listed.push_back({CodeKind::ptx, arch});
  const auto compiled = binaries.compiled();
  Disagreement result;
  for (const auto& code : listed)
    if (!has(compiled, code)) result.only_listed.push_back(code);
  for (const auto kind : {CodeKind::sass, CodeKind::ptx})
    for (const auto& arch : largest->built_for(kind))
      if (!has(listed, {kind, arch})) result.only_compiled.push_back({kind, arch});
  if (result.only_listed.empty() && result.only_compiled.empty()) return std::nullopt;
  return result;
}

Expected<Wheel> inspect_wheel(util::ByteSource& source, const std::string& origin) {
  auto index = read_wheel_index(source, origin);
  if (!index) return tl::unexpected(index.error());
  const auto& archive = index->archive;
  Wheel wheel;
  wheel.metadata = std::move(index->metadata);
  const std::string_view version = wheel.metadata.version;
  const auto plus = std::min(version.find('+'), version.size());
  if (const auto release = Version::parse(version.substr(0, plus))) wheel.release = *release;
  wheel.local = version.substr(std::min(plus + 1, version.size()));

  const auto* tags = archive.find(index->folder + "/WHEEL");
  if (tags == nullptr)
    return fail(ErrorCode::bad_input, "the archive is not a wheel: it has no WHEEL in its .dist-info folder", origin);
  const auto text = archive.text(*tags, largest_text);
  if (!text) return tl::unexpected(text.error());
  wheel.tags = header_values(*text, "Tag");
  for (const auto& tag : wheel.tags) wheel.tagged_glibc = std::max(wheel.tagged_glibc, glibc_of_tag(tag));

  auto libraries = read_libraries(archive, origin);
  if (!libraries) return tl::unexpected(libraries.error());
  wheel.binaries.libraries = std::move(*libraries);
  const auto* build = archive.find(torch_version_file);
  if (build == nullptr) return wheel;
  const auto build_text = archive.text(*build, largest_text);
  if (!build_text) return tl::unexpected(build_text.error());
  wheel.binaries.torch = parse_torch_version(*build_text);
  wheel.binaries.take_list();
  return wheel;
}

void Binaries::take_list() {
  for (const auto& library : libraries) {
    if (library.listed_sass.empty() && library.listed_ptx.empty()) continue;
    torch->sass = library.listed_sass;
    torch->ptx = library.listed_ptx;
  }
}

Version glibc_of_tag(std::string_view tag) {
  struct Legacy {
    std::string_view name;
    Version glibc;
  };
  // PEP 600 keeps these three as names of its own.
  constexpr std::array<Legacy, 3> legacy{{{"manylinux1_", {2, 5}}, {"manylinux2010_", {2, 12}}, {"manylinux2014_", {2, 17}}}};
  constexpr std::string_view modern = "manylinux_";
  Version newest;
  // A tag may name several platforms, joined by dots.
  for (std::size_t at = tag.find("manylinux"); at != std::string_view::npos; at = tag.find("manylinux", at + 1)) {
    const auto rest = tag.substr(at);
    for (const auto& each : legacy)
      if (rest.starts_with(each.name)) newest = std::max(newest, each.glibc);
    if (!rest.starts_with(modern)) continue;
    const auto numbers = rest.substr(modern.size());
    const auto first = numbers.find('_');
    const auto second = first == std::string_view::npos ? first : numbers.find('_', first + 1);
    if (second == std::string_view::npos) continue;
    const auto version =
        Version::parse(fmt::format("{}.{}", numbers.substr(0, first), numbers.substr(first + 1, second - first - 1)));
    if (version) newest = std::max(newest, *version);
  }
  return newest;
}

TorchBuild parse_torch_version(std::string_view text) {
  TorchBuild build;
  build.version = assigned(text, "__version__");
  build.hip = assigned(text, "hip");
  if (const auto cuda = Version::parse(assigned(text, "cuda"))) build.cuda = *cuda;
  return build;
}

}  // namespace envgen::inspect
