#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/environment.hpp"
#include "validate/launch.hpp"

/// What lies in an image beside what belongs there, as the row `image-files` of envgen-bench tells it.
namespace envgen::validate {

struct ImageFile {
  std::string path;
  std::string library;                 ///< `libcuda`, `libcudnn`
  std::optional<std::string> version;  ///< as the file's name says it
  std::optional<std::string> target;   ///< of a symbolic link
  long long bytes = 0;
  long long inode = 0;
};

/// What a file or a folder says of a Python, of a framework, or of a library that came as a package: `torch`, `tensorflow`,
/// `nvidia-cudnn-cu12`, `libtorch_cuda`, and `python` for its own library.
struct PythonPackage {
  std::string name;
  std::string version;                ///< empty: it says none
  std::optional<std::string> cuda{};  ///< of torch/version.py; none: a build for the CPU
  std::string cudnn{};                ///< the package that the metadata of torch asks for; empty: none
  std::string path{};
};

struct ImageFiles {
  std::vector<ImageFile> files;
  bool complete = false;
  long long closed = 0;        ///< folders that the container's user may not read
  long long left_out = 0;      ///< files beyond the most that are told
  std::string library_path{};  ///< LD_LIBRARY_PATH of who uses them
  std::vector<PythonPackage> packages{};
  std::vector<std::string> not_entered{};  ///< folders that were not looked into: closed ones, other file systems
};

/// What envgen-bench told of them.
struct FilesSeen {
  Launched launched{};                ///< of the program that was started for it, where it needed one
  std::vector<ImageFiles> folders{};  ///< the image, or the Python's environment, and what is elsewhere; empty: it told nothing
};
/// All of them in one.
ImageFiles all_of(const FilesSeen& seen);

/// Without its last part; empty: it has none.
std::string folder_of(const std::string& path);

/// None: the row tells nothing, for its test was not made.
std::optional<ImageFiles> parse_image_files(const Result& row);

/// The check driver-files: libraries of the driver that are neither a toolkit's stubs nor cuda-compat.
Result judge_driver_files(const ImageFiles& found);

/// The check second-libraries: two files of libcudart or of libcudnn that a program may find in each other's place. The toolkit's
/// libcudart (for nvcc), one under a name of its own (`libcudart-d0da41ae`) and what lies in a cache of packages are none.
/// `lock`: a failure where the image was made from it and its base is no official image, which holds what it holds; else a
/// warning. null: none. A warning, too: LD_LIBRARY_PATH puts the toolkit's before another.
Result judge_second_libraries(const ImageFiles& found, const Environment* lock);

}  // namespace envgen::validate
