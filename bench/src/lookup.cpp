#include "lookup.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace envgen::bench {
namespace {

namespace fs = std::filesystem;

/// What a library is called, newest CUDA major first, and its folder in the wheels of CUDA 11 and 12.
struct Names {
  std::string_view library;
  std::string_view wheel_folder;
  std::vector<std::string> files;
  std::vector<std::string> too_old = {};  ///< what CUDA 10 calls it
};

const std::vector<Names>& all_names() {
  static const std::vector<Names> names{
      {"libcuda", "", {"libcuda.so.1"}},
      {"libnvidia-ml", "", {"libnvidia-ml.so.1"}},
      {"libcudart",
       "cuda_runtime",
       {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"},
       {"libcudart.so.10.2", "libcudart.so.10.1", "libcudart.so.10.0"}},
      {"libcublasLt", "cublas", {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"}, {"libcublasLt.so.10"}},
      {"libcublas", "cublas", {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}, {"libcublas.so.10"}},
      {"libnccl", "nccl", {"libnccl.so.2"}},
  };
  return names;
}

/// The parts of $NAME between colons.
std::vector<std::string> parts_of(const char* name) {
  std::vector<std::string> parts;
  const char* value = std::getenv(name);
  std::string_view rest = value != nullptr ? value : "";
  while (!rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    if (end > 0) parts.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return parts;
}

void add_site_packages(const fs::path& prefix, std::vector<fs::path>& found) {
  std::error_code ignored;
  std::vector<fs::path> here;
  for (const auto& entry : fs::directory_iterator(prefix / "lib", ignored)) {
    if (!entry.path().filename().string().starts_with("python3")) continue;
    for (const char* folder : {"site-packages", "dist-packages"}) {
      if (fs::is_directory(entry.path() / folder, ignored)) here.push_back(entry.path() / folder);
    }
  }
  std::sort(here.begin(), here.end());
  found.insert(found.end(), here.begin(), here.end());
}

void drop_repeated(std::vector<fs::path>& paths) {
  std::vector<fs::path> once;
  std::error_code ignored;
  for (const auto& path : paths) {
    auto real = fs::canonical(path, ignored);
    if (ignored) real = path;
    if (std::find(once.begin(), once.end(), real) == once.end()) once.push_back(real);
  }
  paths = std::move(once);
}

const Names* names_of(const std::string& library) {
  const auto& all = all_names();
  const auto names = std::find_if(all.begin(), all.end(), [&](const Names& each) { return each.library == library; });
  return names == all.end() ? nullptr : &*names;
}

/// Where `files`, names of one library, may be: the wheel's folder, conda, the dynamic linker's choice, the toolkit.
std::vector<std::string> in_places(const std::vector<std::string>& files, std::string_view wheel_folder, const Places& places) {
  std::vector<std::string> result;
  std::error_code ignored;
  const auto add_existing = [&](const fs::path& folder) {
    for (const auto& file : files) {
      if (fs::exists(folder / file, ignored)) result.push_back((folder / file).string());
    }
  };
  for (const auto& root : places.site_packages) {
    add_existing(root / "nvidia" / "cu13" / "lib");
    add_existing(root / "nvidia" / wheel_folder / "lib");
  }
  if (!places.conda_prefix.empty()) add_existing(places.conda_prefix / "lib");
  for (const auto& folder : places.library_path) {
    if (!folder.empty()) add_existing(folder);
  }
  result.insert(result.end(), files.begin(), files.end());
  for (const auto& file : files) result.push_back((places.toolkit / file).string());
  return result;
}

}  // namespace

Places places_here(std::map<std::string, std::string> overrides) {
  Places places;
  places.overrides = std::move(overrides);
  const char* conda = std::getenv("CONDA_PREFIX");
  if (conda != nullptr) places.conda_prefix = conda;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const char* prefix = std::getenv(name); prefix != nullptr) add_site_packages(prefix, places.site_packages);
  }
  for (const auto& path : parts_of("PYTHONPATH")) places.site_packages.emplace_back(path);
  std::error_code ignored;
  for (const auto& folder : parts_of("PATH")) {
    if (fs::exists(fs::path(folder) / "python3", ignored))
      add_site_packages(fs::path(folder).parent_path(), places.site_packages);
  }
  if (const char* home = std::getenv("HOME"); home != nullptr) add_site_packages(fs::path(home) / ".local", places.site_packages);
  for (const char* prefix : {"/usr/local", "/usr", "/opt/conda"}) add_site_packages(prefix, places.site_packages);
  drop_repeated(places.site_packages);
  return places;
}

const std::vector<std::string>& library_names() {
  static const auto names = [] {
    std::vector<std::string> all;
    for (const auto& each : all_names()) all.emplace_back(each.library);
    return all;
  }();
  return names;
}

std::vector<std::string> candidates(const std::string& library, const Places& places) {
  if (const auto found = places.overrides.find(library); found != places.overrides.end()) return {found->second};
  const auto* const names = names_of(library);
  if (names == nullptr) return {};
  if (names->wheel_folder.empty()) return names->files;  // the driver's own: put there by the engine, where the linker looks
  return in_places(names->files, names->wheel_folder, places);
}

std::vector<std::string> candidates_too_old(const std::string& library, const Places& places) {
  const auto* const names = names_of(library);
  if (names == nullptr || names->too_old.empty() || places.overrides.count(library) > 0) return {};
  return in_places(names->too_old, names->wheel_folder, places);
}

}  // namespace envgen::bench
