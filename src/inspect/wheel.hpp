#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/library.hpp"
#include "inspect/metadata.hpp"
#include "inspect/zip.hpp"
#include "model/version.hpp"

namespace envgen::inspect {

/// A wheel as its directory and its METADATA tell it. Where the source is behind a network this takes one read of 64 KiB for most
/// wheels, and two more for those with thousands of files: the rest of the directory, and METADATA.
struct WheelIndex {
  Zip archive;         ///< its members: the wheel's files with their sizes
  std::string folder;  ///< `torch-2.9.1.dist-info`
  Metadata metadata;
};

/// `source` must outlive it; `origin` (a path, a URL) names it in errors.
/// Errors (bad_input): those of Zip::open and of parse_metadata; no METADATA in it, or several.
Expected<WheelIndex> read_wheel_index(util::ByteSource& source, const std::string& origin);

/// What torch says of its own build (`torch/version.py`, and the list that torch.cuda.get_arch_list() answers).
struct TorchBuild {
  std::string version;  ///< `2.9.1+cu128`; empty: not said
  Version cuda;         ///< none: built without CUDA
  std::string hip;      ///< of a build for ROCm
  std::vector<Arch> sass;
  std::vector<Arch> ptx;
};

/// What of these is built for GPUs, and by what. Of a wheel, of a library, or of what an image has of one package.
struct Binaries {
  std::vector<Library> libraries;   ///< in the order of their names
  std::optional<TorchBuild> torch;  ///< where they are torch's

  /// The newest glibc that one of them needs; none where none needs any.
  Version glibc() const;
  /// The names of those that CUDA brings and that are not among these, sorted.
  std::vector<std::string> cuda_libraries() const;
  /// The library with most GPU code: what a build's targets are read from. None: there is no GPU code.
  const Library* largest() const;
  /// All code that one of them has, ascending.
  std::vector<GpuCode> compiled() const;
  /// Gives `torch`, which is there, the list that one of the libraries has.
  void take_list();
};

/// How torch's list of its targets and the code in its libraries differ.
struct Disagreement {
  std::vector<GpuCode> only_listed;    ///< for which no library has code
  std::vector<GpuCode> only_compiled;  ///< for which the largest library was built, and the list has not
};
/// None: they agree, or torch has no list here.
std::optional<Disagreement> disagreement(const Binaries& binaries);

/// All that a wheel tells.
struct Wheel {
  Metadata metadata;
  Version release;                ///< of its version, `2.9.1`; none where that has more than digits and dots (`2.10.0.dev1`)
  std::string local;              ///< of its version, `cu128`
  std::vector<std::string> tags;  ///< `cp312-cp312-manylinux_2_28_x86_64`, as WHEEL has them
  Version tagged_glibc;           ///< what the newest of its manylinux tags promises to run on
  Binaries binaries;
};

/// Reads what there is to know of a wheel; of its members only those that tell it. `origin` names it in errors.
/// Errors (bad_input): those of `read_wheel_index`, of Zip::unpack and of LibraryReader; no WHEEL in it.
Expected<Wheel> inspect_wheel(util::ByteSource& source, const std::string& origin);

/// The glibc that a platform tag asks for: 2.28 of `manylinux_2_28_x86_64`, 2.17 of `manylinux2014_aarch64`; none of others.
Version glibc_of_tag(std::string_view tag);

/// `torch/version.py`.
TorchBuild parse_torch_version(std::string_view text);

}  // namespace envgen::inspect
