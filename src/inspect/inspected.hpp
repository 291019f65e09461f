#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/library.hpp"
#include "inspect/metadata.hpp"
#include "inspect/version_py.hpp"
#include "util/byte_source.hpp"

namespace envgen::inspect {

/// A Python package: that of a wheel, or one that is installed in an image.
struct Package {
  Metadata metadata;
  std::vector<std::string> tags;  ///< of WHEEL: `cp312-cp312-manylinux_2_28_x86_64`
  std::string folder = {};        ///< `torch-2.9.1.dist-info`, of an image with the folders above it
};

/// torch/version.py, and what the libraries beside it hold.
struct TorchBuild {
  std::string version;               ///< `2.9.1+cu128`
  Version cuda;                      ///< of the build; none: it is for no CUDA, or `cuda_problem` says why that is not known
  std::string cuda_problem = {};     ///< `torch/version.py does not say`
  std::string accelerator = {};      ///< `ROCm` or `XPU`, where it is for that instead of CUDA
  std::optional<Targets> arch_list;  ///< what torch.cuda.get_arch_list() returns; none: not found
  Targets compiled;                  ///< what the library with most code in torch/lib is built for
  Targets anywhere;                  ///< of all code in torch/lib that the CUDA runtime registers
  std::string folder = {};           ///< of an image: `usr/lib/python3.12/site-packages`

  Targets listed_only() const;  ///< what the list names and no code is for
  Targets built_only() const;   ///< what the library with most code is built for and the list lacks
  /// Whether both are one build, in whatever folders they lie.
  bool is_same_as(const TorchBuild& other) const;
};

/// What would have been read, and could not be.
struct Unreadable {
  std::string path;
  std::string why;  ///< `its link points to 'opt/x', which is not in the image`

  std::string to_string() const;
};

/// All that was read of a wheel, a library or an image.
struct Inspected {
  std::string origin;
  std::vector<Package> packages;   ///< the wheel's own; of an image torch and what it needs of NVIDIA, by name
  std::vector<Library> libraries;  ///< by path
  std::optional<TorchBuild> torch;
  std::vector<Unreadable> unreadable = {};       ///< of an image, by path
  std::vector<TorchBuild> several = {};          ///< where an image holds different ones: each of them, and `torch` is none
  std::vector<std::string> contradictions = {};  ///< `METADATA says 2.9.1, and torch/version.py says 2.3.0`

  /// False: what GPU code there is may be in what could not be read.
  bool code_known() const;
  /// The library with most GPU code; one of its own before those of CUDA that it carries along. None: it has no such code.
  const Library* main_library() const;
  /// The libraries that the summary of its GPU code is about. Of torch it is the main one alone, as of get_arch_list(); elsewhere
  /// (bitsandbytes has one for each CUDA) all with such code, but those of CUDA that it carries along.
  std::vector<const Library*> gpu_libraries() const;
  /// What these are built for.
  Targets targets() const;
  /// The library that asks for the newest glibc; none: none asks.
  const Library* glibc_floor() const;
  /// The libraries of CUDA that are needed and are not in it, by name: `libcudart.so.12`.
  std::vector<std::string> needed_of_cuda() const;
  /// Libraries whose table of needed ones was not read.
  std::vector<std::string> unread() const;
};

/// The glibc that the tag of a wheel asks for: 2.28 of `manylinux_2_28`, 2.17 of `manylinux2014`; the lowest of several. None: no
/// tag says.
Version glibc_of(const std::vector<std::string>& tags);
/// The requirements that name what is NVIDIA's, triton or torch.
std::vector<Requirement> pins_of(const Metadata& metadata);

/// Takes the files of a wheel or an image one after another, and knows which of them are worth reading.
class Inspection {
 public:
  explicit Inspection(std::string origin);
  ~Inspection();
  Inspection(const Inspection&) = delete;
  Inspection& operator=(const Inspection&) = delete;

  /// Whether the file that comes next is wanted; if so, its bytes go to `feed` and then `end` is called.
  bool begin(const std::string& path, std::uint64_t size);
  /// After `begin`: the same file has this name, too.
  void also(std::string path) { also_.push_back(std::move(path)); }
  /// False: no more of this file is wanted.
  bool feed(Bytes bytes);
  /// Errors (bad_input): the file is damaged.
  Expected<void> end();

  /// After the last file.
  Inspected finish();

 private:
  void add_package(std::string_view folder, const Metadata& metadata);
  Expected<void> end_text(const std::string& path);
  TorchBuild build_of(const std::string& version_py, const VersionPy& version) const;
  void add_builds();

  Inspected found_;
  std::string path_;
  std::vector<std::string> also_;
  std::optional<LibraryReader> library_;
  bool not_elf_ = false;
  bool at_beginning_ = false;
  std::string text_;
  std::map<std::string, VersionPy> versions_;                           ///< by the path of their version.py
  std::vector<std::pair<std::string, std::vector<std::string>>> tags_;  ///< by the folder of their WHEEL
};

/// Errors (bad_input): no wheel; one that lies; a library in it that is damaged.
Expected<Inspected> inspect_wheel(util::ByteSource& source, const std::string& origin);
/// Errors (bad_input): no library for 64-bit Linux, or a damaged one.
Expected<Inspected> inspect_library(util::ByteSource& source, const std::string& origin);
/// One of both, by how it begins. Errors: theirs; it is neither.
Expected<Inspected> inspect_file(util::ByteSource& source, const std::string& origin);

}  // namespace envgen::inspect
