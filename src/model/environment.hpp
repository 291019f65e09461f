#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/choices.hpp"

namespace envgen {

/// One resolved environment, every value exact. It is what the outputs are rendered from, and what a lock keeps, so it must not
/// depend on the matrix that it came from. An empty optional is "there is none" (null).
struct Environment {
  struct FrameworkBuild {
    std::string version;
    std::optional<std::string> cuda;  ///< the minor; none for a CPU build
    std::string tag;
    std::optional<std::string> torchvision;
    std::optional<std::string> torchaudio;
    std::optional<std::string> index_url;
    bool on_package_index = false;
    std::optional<bool> official;
    std::optional<std::string> toolkit;             ///< the update it was built with
    std::optional<std::vector<std::string>> archs;  ///< none: unknown
    std::optional<std::vector<std::string>> ptx;
    std::vector<std::string> pythons;
    std::optional<std::string> triton;
    std::optional<std::string> nccl;
    std::optional<std::string> glibc;
    std::optional<std::string> conda_spec;
    std::vector<std::string> conda_channels;
    std::vector<std::pair<std::string, std::string>> cuda_pins;  ///< TensorFlow: package and specifier of [and-cuda]
  };
  struct Cudnn {
    std::optional<std::string> version;
    std::optional<int> major;
    std::string from;  ///< `wheel`, `image` or `conda`
  };
  /// The drivers that work: from `minimum` (a release) to all of `last_branch`. No minimum: unknown, or Tegra, whose drivers have
  /// numbers of their own; no last branch: the newest there is. An asked driver below the minimum works as an exception: its
  /// branch is named by the image's gate.
  struct DriverRange {
    std::optional<std::string> minimum;
    std::optional<std::string> last_branch;
    /// As `--driver` takes it: `>=450.80.02,<471`; `unknown`.
    std::string to_string() const;
    bool operator==(const DriverRange&) const = default;
  };
  /// Boards under one driver.
  struct Machine {
    std::vector<std::string> gpus;
    std::optional<std::string> asked;  ///< the driver, as it was written
    DriverRange range;
    std::vector<std::string> carried_by;
    /// What becomes of cuda-compat on this machine, where some machine needs it: `needed`; `harmless` (it works here as well, or
    /// the driver is newer and stays in use); `unproven` (it would be used, and no fact says that it works).
    std::optional<std::string> compat = std::nullopt;
  };
  struct Driver {
    std::optional<std::string> asked;
    DriverRange range;  ///< works on every machine; empty where each needs another one
    std::optional<std::string> native;
    std::vector<std::string> carried_by;
    std::vector<Machine> machines;
    /// An nvidia/cuda image that holds the cuda-compat of this CUDA, where some machine needs it; none: no such image is known.
    std::optional<std::string> compat_image = std::nullopt;
    /// The ranges of the machines, each once; that of all where there are no machines.
    struct Served {
      DriverRange range;
      std::vector<std::string> gpus;
    };
    std::vector<Served> by_range() const;
  };
  struct Board {
    std::string name;
    std::string capability;
    std::string runs;  ///< `sass` or `ptx`; `cpu` where the build uses no GPU
    std::string via;   ///< the target that runs: `8.6`
    /// What to compile an extension for, as TORCH_CUDA_ARCH_LIST takes it: `8.9`, `9.0+PTX`. None: no toolkit is known.
    std::optional<std::string> nvcc = std::nullopt;
  };
  /// What is to be known of an operating system to install something there.
  struct System {
    std::string family;  ///< `ubuntu`, `debian`, `el`, `amazon`
    std::string version;
    std::optional<std::string> image;  ///< the plain image: `ubuntu:22.04`
    std::optional<int> gcc;            ///< the major of its own compiler
    std::optional<bool> pep668;        ///< its Python refuses pip outside of a virtual environment
  };
  struct Images {
    std::optional<std::string> devel, devel_cudnn, runtime, runtime_cudnn, official_devel, official_runtime;
  };
  struct Pin {
    std::string package, spec, why, source;
  };
  /// The whole dependency tree, as `uv pip compile --generate-hashes` found it.
  struct Frozen {
    struct Image {
      std::string name;                   ///< as files name it: `debian:12-slim`
      std::optional<std::string> digest;  ///< `sha256:...`; none: nobody could tell it
    };
    struct Package {
      std::string name, version;        ///< the version with its local part: `2.9.1+cu126`
      std::vector<std::string> hashes;  ///< of each of its files: `sha256:` and 64 digits
    };
    std::string by;                         ///< `uv 0.13.9`
    std::vector<std::string> requirements;  ///< what was asked of it
    std::vector<Package> packages;          ///< by name
    std::vector<Image> images;              ///< that the files name
  };
  struct Reason {
    std::string field, value, why;
    std::vector<std::string> sources;  ///< what was read, and its URL where it has one
  };

  std::optional<FrameworkBuild> torch;
  std::optional<FrameworkBuild> tensorflow;
  std::optional<std::string> cuda_toolkit;
  std::optional<int> gcc_max;  ///< the newest GCC (major) that nvcc of the toolkit accepts
  /// Of a build of conda's pytorch channel: the channel that has this toolkit alone, `nvidia/label/cuda-12.1.1`.
  std::optional<std::string> conda_label;
  std::optional<Cudnn> cudnn;
  std::string python;
  PythonProvider python_provider = PythonProvider::system;
  std::vector<std::string> pythons;
  std::optional<Driver> driver;
  std::vector<Board> gpus;
  std::optional<std::string> os;
  std::optional<System> system;  ///< of `os`
  Platform platform = Platform::linux_x86_64;
  Variant variant = Variant::runtime;
  Installer installer = Installer::pip;
  Base base = Base::slim;
  Images images;
  std::optional<std::string> image_layout;  ///< of the official image that is the base: `conda` or `system`
  std::vector<Pin> pins;
  std::vector<std::pair<std::string, std::string>> env;  ///< environment variables that a pitfall asks for
  std::vector<std::string> warnings;
  std::vector<Reason> reasons;
  std::optional<Frozen> frozen;  ///< only a lock holds one

  const FrameworkBuild& build() const { return torch ? *torch : *tensorflow; }
};

}  // namespace envgen
