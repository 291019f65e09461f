#include "image_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <memory>
#include <sstream>
#include <string_view>

namespace envgen::bench {
namespace {

constexpr std::size_t most_closed_told = 100;

/// Names of the driver's own files. What else begins with libnvidia- is not of the driver: libnvidia-container is the toolkit's,
/// libnvidia-egl-wayland a distribution's.
bool is_of_driver(std::string_view library) {
  constexpr std::array<std::string_view, 28> names{"libcuda",
                                                   "libcudadebugger",
                                                   "libnvcuvid",
                                                   "libnvoptix",
                                                   "libEGL_nvidia",
                                                   "libGLX_nvidia",
                                                   "libGLESv2_nvidia",
                                                   "libGLESv1_CM_nvidia",
                                                   "libnvidia-ml",
                                                   "libnvidia-ptxjitcompiler",
                                                   "libnvidia-nvvm",
                                                   "libnvidia-opencl",
                                                   "libnvidia-compiler",
                                                   "libnvidia-cfg",
                                                   "libnvidia-glcore",
                                                   "libnvidia-eglcore",
                                                   "libnvidia-glsi",
                                                   "libnvidia-tls",
                                                   "libnvidia-fbc",
                                                   "libnvidia-encode",
                                                   "libnvidia-opticalflow",
                                                   "libnvidia-allocator",
                                                   "libnvidia-gpucomp",
                                                   "libnvidia-pkcs11",
                                                   "libnvidia-rtcore",
                                                   "libnvidia-glvkspirv",
                                                   "libnvidia-ngx",
                                                   "libnvidia-fatbinaryloader"};
  return std::find(names.begin(), names.end(), library) != names.end();
}

/// `libcudart-d0da41ae` of a wheel that carries its own copy under a name that no other library asks for.
bool is_runtime(std::string_view library) { return library == "libcudart" || library.starts_with("libcudart-"); }

struct Close {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

class Walk {
 public:
  Walk(const std::set<std::string>& mounts, const WalkLimits& limits) : mounts_(mounts), limits_(limits) {}

  ImageFiles of(const std::string& root) && {
    const auto start = std::chrono::steady_clock::now();
    const auto since = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    todo_.push_back(root);
    while (!todo_.empty()) {
      if (found_.entries >= limits_.entries || since() > limits_.seconds) {
        found_.complete = false;
        break;
      }
      const auto folder = std::move(todo_.back());
      todo_.pop_back();
      read(folder);
    }
    std::sort(found_.files.begin(), found_.files.end(), [](const ImageFile& a, const ImageFile& b) { return a.path < b.path; });
    std::sort(found_.packages.begin(), found_.packages.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    found_.seconds = since();
    return std::move(found_);
  }

 private:
  void read(const std::string& path) {
    // Never through a link that took the folder's place meanwhile.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const std::unique_ptr<DIR, Close> folder(descriptor < 0 ? nullptr : ::fdopendir(descriptor));
    if (!folder) {
      if (descriptor >= 0) ::close(descriptor);
      ++found_.closed;
      if (found_.some_closed.size() < most_closed_told) found_.some_closed.push_back(path);
      return;
    }
    const std::string prefix = path == "/" ? path : path + "/";
    while (const auto* entry = ::readdir(folder.get())) {  // NOLINT(concurrency-mt-unsafe): of a folder of our own
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      ++found_.entries;
      if (found_.entries > limits_.entries) {
        found_.complete = false;
        return;
      }
      take(prefix + std::string(name), name, entry->d_type);
    }
  }

  void take(std::string path, std::string_view name, unsigned char type) {
    struct stat facts {};
    if (type == DT_UNKNOWN && ::lstat(path.c_str(), &facts) == 0) type = static_cast<unsigned char>(IFTODT(facts.st_mode));
    if (mounts_.contains(path)) {
      if (found_.mounts.size() < limits_.files) found_.mounts.push_back(std::move(path));
      return;
    }
    if (type == DT_DIR || type == DT_REG) take_package(path, type == DT_DIR);
    if (type == DT_DIR) todo_.push_back(std::move(path));
    if (type != DT_REG && type != DT_LNK) return;
    auto file = library_of(name);
    if (file.library.empty() || ::lstat(path.c_str(), &facts) != 0) return;
    if (found_.files.size() >= limits_.files) {
      ++found_.left_out;
      return;
    }
    if (type == DT_LNK) {
      std::error_code ignored;
      file.target = std::filesystem::read_symlink(path, ignored).string();
    } else {
      file.bytes = facts.st_size;
      file.inode = facts.st_ino;
    }
    file.path = std::move(path);
    found_.files.push_back(std::move(file));
  }

  void take_package(const std::string& path, bool folder) {
    auto package = package_at(path, folder);
    if (!package) return;
    if (found_.packages.size() >= limits_.files) {
      ++found_.left_out;
      return;
    }
    found_.packages.push_back(std::move(*package));
  }

  const std::set<std::string>& mounts_;
  const WalkLimits& limits_;
  std::vector<std::string> todo_;
  ImageFiles found_;
};

}  // namespace

ImageFile library_of(std::string_view name) {
  ImageFile file;
  const auto so = name.find(".so");
  if (so == std::string_view::npos) return file;
  const auto library = name.substr(0, so);
  const auto rest = name.substr(so + 3);
  const bool versioned = rest.size() > 1 && rest.front() == '.' && std::isdigit(static_cast<unsigned char>(rest[1])) != 0;
  if (!rest.empty() && !versioned) return file;
  if (!is_of_driver(library) && !is_runtime(library) && library != "libcudnn") return file;
  file.library = library;
  if (versioned) file.version = rest.substr(1);
  return file;
}

std::set<std::string> mount_points(const std::string& mountinfo) {
  std::set<std::string> points;
  std::istringstream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    constexpr int before_point = 4;  // proc(5): id, parent, device, root, mount point
    for (int i = 0; i <= before_point && words >> word; ++i) {
      if (i == before_point && word != "/") points.insert(word);
    }
  }
  return points;
}

ImageFiles image_files(const std::filesystem::path& root, const std::set<std::string>& mounts, const WalkLimits& limits) {
  return Walk(mounts, limits).of(root.string());
}

Json to_json(const ImageFiles& files) {
  Json list = Json::array();
  for (const auto& file : files.files) {
    list.push_back({{"path", file.path},
                    {"library", file.library},
                    {"version", file.version.empty() ? Json() : Json(file.version)},
                    {"target", file.target.empty() ? Json() : Json(file.target)},
                    {"bytes", file.target.empty() ? Json(file.bytes) : Json()},
                    {"inode", file.target.empty() ? Json(file.inode) : Json()}});
  }
  Json packages = Json::array();
  for (const auto& package : files.packages) packages.push_back(to_json(package));
  return {{"entries", files.entries},         {"complete", files.complete},     {"closed", files.closed},
          {"some_closed", files.some_closed}, {"mounts", files.mounts},         {"left_out", files.left_out},
          {"files", std::move(list)},         {"packages", std::move(packages)}};
}

}  // namespace envgen::bench
