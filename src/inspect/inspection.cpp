#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "inspect/contradictions.hpp"
#include "inspect/inspected.hpp"
#include "inspect/places.hpp"
#include "inspect/wheel.hpp"
#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

constexpr std::uint64_t largest_text = std::uint64_t{16} << 20;
/// Of all that is unpacked: an archive that promises more was made to keep us busy.
constexpr std::uint64_t largest_whole = std::uint64_t{64} << 30;

/// Whether a library is torch's, and no other's that it carries along.
bool lies_in_torch(std::string_view path) {
  const auto rest = path.substr(packages_folder(path).size());
  return (rest.starts_with("torch/") || rest.starts_with("/torch/")) && !is_of_cuda(file_name(path));
}

/// The tag that the name of a wheel ends with, which is what pip goes by; WHEEL can tell of the machine that built it. Empty: it
/// has another name.
std::string tag_of_file(std::string_view origin) {
  auto name = origin.substr(origin.rfind('/') + 1);
  constexpr std::string_view suffix = ".whl";
  if (!name.ends_with(suffix)) return {};
  name.remove_suffix(suffix.size());
  auto place = name.size();
  for (int part = 0; part < 3 && place != std::string_view::npos; ++part)
    place = place == 0 ? std::string_view::npos : name.rfind('-', place - 1);
  return place == std::string_view::npos ? std::string() : std::string(name.substr(place + 1));
}

}  // namespace

Inspection::Inspection(std::string origin) { found_.origin = std::move(origin); }
Inspection::~Inspection() = default;

bool Inspection::begin(const std::string& path, std::uint64_t size) {
  path_ = path;
  also_.clear();
  library_.reset();
  text_.clear();
  not_elf_ = false;
  at_beginning_ = true;
  if (place_of(path) == Place::library) {
    library_.emplace(path, size, found_.origin);
    return true;
  }
  return place_of(path) != Place::other && size <= largest_text;
}

bool Inspection::feed(Bytes bytes) {
  if (bytes.empty()) return true;
  if (!library_) {
    text_ += text_of(bytes);
    return true;
  }
  // A `.so` may be a linker script; and a piece of a stream may be shorter than the mark.
  if (at_beginning_) {
    text_ += text_of(bytes);
    constexpr std::size_t mark = 4;
    if (text_.size() < mark) return true;
    at_beginning_ = false;
    not_elf_ = !LibraryReader::is_elf(bytes_of(text_));
    const auto held = std::move(text_);
    text_.clear();
    return !not_elf_ && library_->feed(bytes_of(held));
  }
  return !not_elf_ && library_->feed(bytes);
}

Expected<void> Inspection::end() {
  if (!library_) {
    for (const auto& path : also_) {
      if (auto ended = end_text(path); !ended) return ended;
    }
    return end_text(path_);
  }
  if (at_beginning_ || not_elf_) return {};
  auto library = library_->finish();
  library_.reset();  // with its memory
  if (!library) return tl::unexpected(library.error());
  for (auto& path : also_) {
    found_.libraries.push_back(*library);
    found_.libraries.back().path = std::move(path);
  }
  found_.libraries.push_back(std::move(*library));
  return {};
}

Expected<void> Inspection::end_text(const std::string& path) {
  if (place_of(path) == Place::version_py) {
    auto version = parse_version_py(text_, path, found_.origin);
    if (!version) return tl::unexpected(version.error());
    versions_.insert_or_assign(path, std::move(*version));
    return {};
  }
  const std::string folder(package_folder(path));
  if (path.ends_with("WHEEL")) {
    tags_.emplace_back(folder, header_values(text_, "Tag"));
    return {};
  }
  auto metadata = parse_metadata(text_, found_.origin);
  if (!metadata) return tl::unexpected(metadata.error());
  found_.packages.push_back({std::move(*metadata), {}, folder});
  return {};
}

TorchBuild Inspection::build_of(const std::string& version_py, const VersionPy& version) const {
  TorchBuild torch;
  torch.folder = packages_folder(version_py);
  torch.version = version.version;
  torch.accelerator = version.accelerator;
  torch.cuda = version.cuda.value_or(Version());
  if (!version.cuda) torch.cuda_problem = "torch/version.py does not state it";
  std::size_t most = 0;
  for (const auto& library : found_.libraries) {
    if (versions_.size() > 1 && packages_folder(library.path) != torch.folder) continue;
    if (version.cuda && !torch.cuda && library.fatbins > 0 && lies_in_torch(library.path))
      torch.cuda_problem = fmt::format("torch/version.py says None, but {} contains GPU code", in_one_line(library.path));
    if (!is_of_torch(library.path)) continue;
    torch.anywhere.add(library.targets);
    if (library.fatbins > most) {
      most = library.fatbins;
      torch.compiled = library.built_for;
    }
    if (library.arch_list) torch.arch_list = library.arch_list;
  }
  return torch;
}

void Inspection::add_builds() {
  std::vector<TorchBuild> builds;
  for (const auto& [path, version] : versions_) builds.push_back(build_of(path, version));
  found_.contradictions = contradictions_of(found_, builds);
  if (builds.empty()) return;
  const bool same =
      std::all_of(builds.begin(), builds.end(), [&](const TorchBuild& build) { return build.is_same_as(builds.front()); });
  if (same) {
    found_.torch = std::move(builds.front());
  } else {
    found_.several = std::move(builds);
  }
}

Inspected Inspection::finish() {
  for (auto& package : found_.packages) {
    for (const auto& [folder, tags] : tags_) {
      if (folder == package.folder) package.tags = tags;
    }
  }
  std::sort(found_.packages.begin(), found_.packages.end(), [](const Package& a, const Package& b) {
    return std::tie(a.metadata.name, a.folder) < std::tie(b.metadata.name, b.folder);
  });
  std::sort(found_.libraries.begin(), found_.libraries.end(), [](const Library& a, const Library& b) { return a.path < b.path; });
  add_builds();
  return std::move(found_);
}

Expected<Inspected> inspect_wheel(util::ByteSource& source, const std::string& origin) {
  const auto index = read_wheel_index(source, origin);
  if (!index) return tl::unexpected(index.error());
  Inspection inspection(origin);
  std::uint64_t whole = 0;
  for (const auto& member : index->archive.members()) {
    // Packages that it carries along are not it.
    const auto folder = package_folder(member.name);
    if (!folder.empty() && folder != index->folder) continue;
    if (!inspection.begin(member.name, member.size)) continue;
    whole += member.size;
    if (whole > largest_whole)
      return fail(ErrorCode::bad_input, fmt::format("its libraries unpack to more than {} GiB", largest_whole >> 30), origin);
    auto unpacked = index->archive.unpack(member, [&](Bytes bytes) { return inspection.feed(bytes); });
    if (!unpacked) return tl::unexpected(unpacked.error());
    if (auto ended = inspection.end(); !ended) return tl::unexpected(ended.error());
  }
  auto inspected = inspection.finish();
  auto& package = inspected.packages.front();
  const auto of_name = contradictions_of_name(origin, package.metadata);
  inspected.contradictions.insert(inspected.contradictions.begin(), of_name.begin(), of_name.end());
  if (auto tag = tag_of_file(origin); !tag.empty()) package.tags = {std::move(tag)};
  return inspected;
}

Expected<Inspected> inspect_library(util::ByteSource& source, const std::string& origin) {
  LibraryReader reader(origin.substr(origin.rfind('/') + 1), source.size(), origin);
  constexpr std::size_t piece_size = std::size_t{256} * 1024;
  std::vector<std::byte> piece(piece_size);
  for (std::uint64_t at = 0; at < source.size(); at += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece_size, source.size() - at)));
    if (auto got = source.read(at, piece); !got) return tl::unexpected(got.error());
    if (!reader.feed(piece)) break;
  }
  auto library = reader.finish();
  if (!library) return tl::unexpected(library.error());
  Inspected inspected;
  inspected.origin = origin;
  inspected.libraries.push_back(std::move(*library));
  return inspected;
}

Expected<Inspected> inspect_file(util::ByteSource& source, const std::string& origin) {
  std::vector<std::byte> beginning(static_cast<std::size_t>(std::min<std::uint64_t>(4, source.size())));
  if (auto got = source.read(0, beginning); !got) return tl::unexpected(got.error());
  if (LibraryReader::is_elf(beginning)) return inspect_library(source, origin);
  if (text_of(beginning).starts_with("PK")) return inspect_wheel(source, origin);
  return fail(ErrorCode::bad_input, "neither a wheel nor a library: it is neither a zip archive nor an ELF file", origin);
}

}  // namespace envgen::inspect
