#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "json.hpp"
#include "python_packages.hpp"

namespace envgen::bench {

/// A library of the driver, of the CUDA Runtime or of cuDNN, as a file of a file system.
struct ImageFile {
  std::string path;
  std::string library;           ///< `libcuda`, `libnvidia-ml`, `libcudart`, `libcudnn` ...
  std::string version;           ///< as its name ends: `550.54.14`, `12`; empty: it says none
  std::string target;            ///< of a symbolic link; empty: it is a file
  long long bytes = 0;           ///< of a file
  unsigned long long inode = 0;  ///< two paths of one inode are one file
};

/// What a walk saw.
struct ImageFiles {
  std::vector<ImageFile> files;          ///< by path
  std::vector<PythonPackage> packages;   ///< by path
  std::vector<std::string> mounts;       ///< other file systems below the root, which are not walked
  std::size_t entries = 0;               ///< of all folders that were read
  std::size_t left_out = 0;              ///< found beyond the most that are kept
  std::size_t closed = 0;                ///< folders that this user may not read
  std::vector<std::string> some_closed;  ///< the first of them, a hundred
  bool complete = true;                  ///< false: too many entries, or the time was over
  double seconds = 0;
};

/// How far a walk may go.
struct WalkLimits {
  std::size_t entries = 5'000'000;
  std::size_t files = 200;  ///< of each kind
  double seconds = 30;
};

/// Walks `root` without leaving it by a link or a mount. `mounts`: the paths where another file system, or a file of one, begins.
ImageFiles image_files(const std::filesystem::path& root, const std::set<std::string>& mounts, const WalkLimits& limits);

/// The mount points of this process, from the text of /proc/self/mountinfo.
std::set<std::string> mount_points(const std::string& mountinfo);

/// The library that a file's name says, with its version; an empty `library`: none of those that are looked for.
ImageFile library_of(std::string_view name);

Json to_json(const ImageFiles& files);

}  // namespace envgen::bench
