#include "inspect/places.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace envgen::inspect {
namespace {

constexpr std::array<std::string_view, 2> package_folders{"/site-packages", "/dist-packages"};
constexpr std::string_view dist_info = ".dist-info";

bool has_library_name(std::string_view path) {
  const auto name = file_name(path);
  const auto place = name.find(".so");
  return place != std::string_view::npos && (place + 3 == name.size() || name[place + 3] == '.');
}

/// conda keeps a second copy of each package below pkgs/.
bool is_copy_of_conda(std::string_view path) { return path.find("/pkgs/") != std::string_view::npos; }

/// Of a folder nobody knows by its name; of a header or a module one does.
bool is_file_for_sure(std::string_view path) {
  constexpr std::array<std::string_view, 10> endings{".py",  ".pyc", ".pyi",  ".h",     ".hpp",
                                                     ".cuh", ".txt", ".json", ".cmake", ".a"};
  return std::any_of(endings.begin(), endings.end(), [&](auto ending) { return path.ends_with(ending); });
}

}  // namespace

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// By the beginning of their names; behind it stands `.so` or a part's own name (libcudnn_ops.so.9, libnppc.so.12).
bool is_of_cuda(std::string_view name) {
  constexpr std::array<std::string_view, 23> beginnings{
      "libcuda.", "libcudart.", "libcublas", "libcudnn",    "libcufft",     "libcurand",  "libcusolver",  "libcusparse",
      "libcupti", "libcufile",  "libcudss",  "libcutensor", "libnccl",      "libnvrtc",   "libnvJitLink", "libnvToolsExt",
      "libnvtx",  "libnvshmem", "libnvjpeg", "libnpp",      "libnvidia-ml", "libnvinfer", "libnvfatbin"};
  return std::any_of(beginnings.begin(), beginnings.end(), [&](auto beginning) { return name.starts_with(beginning); });
}

bool is_of_torch(std::string_view path) {
  // Older wheels carry cuDNN and the like in the same folder.
  const bool own = file_name(path).starts_with("libtorch");
  return own && (path.starts_with("torch/lib/") || path.find("/torch/lib/") != std::string_view::npos);
}

std::string_view package_folder(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos || !path.substr(0, slash).ends_with(dist_info)) return {};
  const auto name = path.substr(slash + 1);
  return name == "METADATA" || name == "WHEEL" ? path.substr(0, slash) : std::string_view();
}

Place place_of(std::string_view path) {
  if (has_library_name(path)) return Place::library;
  // Of torch itself: what a package carries along lies deeper.
  if (path == "torch/version.py" || path.substr(packages_folder(path).size()) == "/torch/version.py") return Place::version_py;
  return package_folder(path).empty() ? Place::other : Place::metadata;
}

std::string_view packages_folder(std::string_view path) {
  for (const auto folder : package_folders) {
    const auto place = path.ends_with(folder) ? path.size() - folder.size() : path.rfind(std::string(folder) + "/");
    if (place != std::string_view::npos) return path.substr(0, place + folder.size());
  }
  return {};
}

bool is_of_interest(std::string_view path) {
  if (is_copy_of_conda(path)) return false;
  const auto folder = packages_folder(path);
  if (folder.empty() || folder.size() == path.size()) return false;
  constexpr std::array<std::string_view, 10> packages{"torch/",  "torch.",          "torch-",  "torchvision", "torchaudio",
                                                      "triton-", "pytorch_triton-", "nvidia/", "nvidia_",     "cuda_toolkit-"};
  const auto rest = path.substr(folder.size() + 1);
  return std::any_of(packages.begin(), packages.end(), [&](auto package) { return rest.starts_with(package); });
}

bool may_lead_to_interest(std::string_view path) {
  if (place_of(path) != Place::other) return is_of_interest(path);
  if (is_copy_of_conda(path) || is_file_for_sure(path)) return false;
  const auto folder = packages_folder(path);
  return !folder.empty() && (folder.size() == path.size() || is_of_interest(std::string(path) + "/"));
}

bool is_missed(std::string_view path) {
  if (place_of(path) != Place::other || path.ends_with(dist_info)) return true;
  const auto rest = path.substr(packages_folder(path).size());
  if (rest.starts_with("/nvidia")) return rest.find('.') == std::string_view::npos;
  return rest.empty() || rest == "/torch" || rest == "/torch/lib";
}

}  // namespace envgen::inspect
