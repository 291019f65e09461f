#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/capability.hpp"
#include "model/choices.hpp"
#include "model/python_version.hpp"
#include "model/spelled.hpp"
#include "model/version.hpp"

namespace envgen {

bool is_carried_by(const std::vector<CarriedBy>& carriers, CarriedBy carrier);

/// One resolved environment, every value exact. It is what the outputs are rendered from, and what a lock keeps, so it must not
/// depend on the matrix that it came from. An empty optional is "there is none" (null).
///
/// `members` names what a struct holds, once: the JSON of locks and answers, its reader, the hash of a lock and the difference of
/// two of them are all made from these lists (util/described.hpp says how).
struct Environment {
  using Names = std::vector<std::pair<std::string, std::string>>;

  struct FrameworkBuild {
    std::string version;
    std::optional<Version> cuda;  ///< the minor; none for a CPU build
    std::string tag;
    std::optional<std::string> torchvision;
    std::optional<std::string> torchaudio;
    std::optional<std::string> index_url;
    bool on_package_index = false;
    std::optional<bool> official;
    std::optional<Version> toolkit;          ///< the update it was built with
    std::optional<std::vector<Arch>> archs;  ///< none: unknown
    std::optional<std::vector<Arch>> ptx;
    std::vector<PythonVersion> pythons;
    std::optional<std::string> triton;
    std::optional<std::string> nccl;
    std::optional<Version> glibc;
    std::optional<std::string> conda_spec;
    std::vector<std::string> conda_channels;
    std::optional<int> gcc_min;  ///< devel: the oldest GCC (major) that compiles against its headers
    Names cuda_pins;             ///< TensorFlow: package and specifier of [and-cuda]
  };
  template <Framework which>
  struct BuildOf : FrameworkBuild {
    BuildOf() = default;
    BuildOf(FrameworkBuild build) : FrameworkBuild(std::move(build)) {}  // NOLINT(google-explicit-constructor): the same thing

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      constexpr bool torch = which == Framework::torch;
      visit("version", self.version), visit("cuda", self.cuda), visit("tag", self.tag);
      if constexpr (torch) visit("torchvision", self.torchvision), visit("torchaudio", self.torchaudio);
      visit("index_url", self.index_url), visit("on_package_index", self.on_package_index), visit("official", self.official);
      visit("toolkit", self.toolkit), visit("archs", self.archs), visit("ptx", self.ptx), visit("pythons", self.pythons);
      visit("triton", self.triton), visit("nccl", self.nccl), visit("glibc", self.glibc);
      visit("conda_spec", self.conda_spec), visit("conda_channels", self.conda_channels);
      if constexpr (torch) visit.sparse("gcc_min", self.gcc_min);
      if constexpr (!torch) visit("cuda_pins", self.cuda_pins);
    }
  };
  /// The toolkit of CUDA that fits the build.
  struct Toolkit {
    std::optional<Version> version;
    std::optional<int> gcc_max;  ///< the newest GCC (major) that its nvcc accepts
    /// Of a build of conda's pytorch channel: the channel that has this toolkit alone, `nvidia/label/cuda-12.1.1`.
    std::optional<std::string> conda_label;

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit("toolkit", self.version), visit("gcc_max", self.gcc_max), visit.late("conda_label", self.conda_label);
    }
  };
  struct Cudnn {
    std::optional<Version> version;
    std::optional<int> major;
    CudnnFrom from = CudnnFrom::wheel;

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit("version", self.version), visit("major", self.major), visit("from", self.from);
    }
  };
  /// The drivers that work: from `minimum` (a release) to all of `last_branch`. No minimum: unknown, or Tegra, whose drivers have
  /// numbers of their own; no last branch: the newest there is. An asked driver below the minimum works as an exception: its
  /// branch is named by the image's gate.
  struct DriverRange {
    std::optional<DriverVersion> minimum;
    std::optional<DriverVersion> last_branch;
    /// WSL 2: the CUDA Version that nvidia-smi has to show at least. The drivers of Windows have numbers of their own, so the
    /// other two, which are numbers of Linux, say nothing there.
    std::optional<Version> windows_cuda = std::nullopt;
    /// As `--driver` takes it: `>=450.80.02,<471`; `unknown`. Of Windows: `for Windows: 525 or newer (CUDA 12.0 in nvidia-smi)`,
    /// because a branch has the same number on both systems, and its releases have not.
    std::string to_string() const;
    bool operator==(const DriverRange&) const = default;

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit("minimum", self.minimum), visit("last_branch", self.last_branch);
      visit.sparse("windows_cuda", self.windows_cuda);
    }
  };
  /// Boards under one driver.
  struct Machine {
    std::vector<std::string> gpus;
    std::optional<std::string> asked;  ///< the driver, as it was written
    DriverRange range;
    std::vector<CarriedBy> carried_by;
    /// What becomes of cuda-compat on this machine, where some machine needs it.
    std::optional<Compat> compat = std::nullopt;

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit("gpus", self.gpus), visit.sparse("asked", self.asked);
      DriverRange::members(self.range, visit);
      visit("carried_by", self.carried_by), visit.sparse("compat", self.compat);
    }
  };
  struct Driver {
    std::optional<std::string> asked;
    DriverRange range;  ///< works on every machine; empty where each needs another one
    std::optional<DriverVersion> native;
    std::vector<CarriedBy> carried_by;
    std::vector<Machine> machines;
    /// An nvidia/cuda image that holds the cuda-compat of this CUDA, where some machine needs it; none: no such image is known.
    std::optional<std::string> compat_image = std::nullopt;
    struct Served {
      DriverRange range;
      std::vector<std::string> gpus;
      std::optional<std::string> asked = std::nullopt;
      bool lifted = false;  ///< by cuda-compat
    };
    /// The ranges of the machines, each once; that of all where there are no machines. What was asked for is left out.
    std::vector<Served> by_range() const;
    /// The same, and machines stand apart too where another driver was asked for, or none.
    std::vector<Served> by_request() const;

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit.sparse("asked", self.asked);
      DriverRange::members(self.range, visit);
      visit("native", self.native), visit("carried_by", self.carried_by), visit("machines", self.machines);
      visit.sparse("compat_image", self.compat_image);
    }
  };
  struct Board {
    std::string name;
    Capability capability;
    CodeKind runs = CodeKind::sass;
    Arch via;  ///< the target that runs
    /// What to compile an extension for, as TORCH_CUDA_ARCH_LIST takes it: `8.9`, `9.0+PTX`. None: no toolkit is known.
    std::optional<std::string> nvcc = std::nullopt;

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit("name", self.name), visit("capability", self.capability), visit("runs", self.runs), visit("via", self.via);
      visit.late("nvcc", self.nvcc);
    }
  };
  /// What is to be known of an operating system to install something there.
  struct System {
    std::string family;  ///< `ubuntu`, `debian`, `el`, `amazon`, `fedora`
    std::string version;
    std::optional<std::string> image;  ///< the plain image: `ubuntu:22.04`
    std::optional<int> gcc;            ///< the major of its own compiler
    std::optional<bool> pep668;        ///< its Python refuses pip outside of a virtual environment

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit("family", self.family), visit("version", self.version), visit("image", self.image);
      visit("gcc", self.gcc), visit("pep668", self.pep668);
    }
  };
  struct Images {
    std::optional<std::string> devel, devel_cudnn, runtime, runtime_cudnn, official_devel, official_runtime;

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit("devel", self.devel), visit("devel_cudnn", self.devel_cudnn);
      visit("runtime", self.runtime), visit("runtime_cudnn", self.runtime_cudnn);
      visit("official_devel", self.official_devel), visit("official_runtime", self.official_runtime);
    }
  };
  struct Pin {
    std::string package, spec, why, source;

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit("package", self.package), visit("spec", self.spec), visit("why", self.why), visit("source", self.source);
    }
  };
  /// The whole dependency tree, as `uv pip compile --generate-hashes` found it.
  struct Frozen {
    struct Image {
      std::string name;                   ///< as files name it: `debian:12-slim`
      std::optional<std::string> digest;  ///< `sha256:...`; none: nobody could tell it

      template <class Self, class Visit>
      static void members(Self& self, Visit& visit) {
        visit("image", self.name), visit("digest", self.digest);
      }
    };
    struct Package {
      std::string name, version;        ///< the version with its local part: `2.9.1+cu126`
      std::vector<std::string> hashes;  ///< of each of its files: `sha256:` and 64 digits

      template <class Self, class Visit>
      static void members(Self& self, Visit& visit) {
        visit("name", self.name), visit("version", self.version), visit("hashes", self.hashes);
      }
    };
    std::string by;                         ///< `uv 0.13.9`
    std::vector<std::string> requirements;  ///< what was asked of it
    std::vector<Package> packages;          ///< by name
    std::vector<Image> images;              ///< that the files name

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit("by", self.by), visit("requirements", self.requirements), visit("packages", self.packages);
      visit.sparse("images", self.images);
    }
  };
  struct Reason {
    std::string field, value, why;
    std::vector<std::string> sources;  ///< what was read, and its URL where it has one

    template <class Self, class Visit>
    static void members(Self& self, Visit& visit) {
      visit("field", self.field), visit("value", self.value), visit("why", self.why), visit("sources", self.sources);
    }
  };

  std::optional<BuildOf<Framework::torch>> torch;
  std::optional<BuildOf<Framework::tensorflow>> tensorflow;
  std::optional<Toolkit> cuda;  ///< none for a CPU build
  std::optional<Cudnn> cudnn;
  PythonVersion python;
  PythonProvider python_provider = PythonProvider::system;
  std::vector<PythonVersion> pythons;
  std::optional<Driver> driver;
  std::vector<Board> gpus;
  std::optional<std::string> os;
  std::optional<System> system;  ///< of `os`
  Platform platform = Platform::linux_x86_64;
  Variant variant = Variant::runtime;
  Installer installer = Installer::pip;
  Base base = Base::slim;
  std::optional<Engine> engine;  ///< where it was asked for
  Images images;
  std::optional<std::string> image_layout;  ///< of the official image that is the base: `conda` or `system`
  std::vector<Pin> pins;
  Names env;  ///< environment variables that a pitfall asks for
  std::vector<std::string> warnings;
  std::vector<Reason> reasons;
  std::optional<Frozen> frozen;  ///< only a lock holds one

  const FrameworkBuild& build() const {
    if (torch) return *torch;
    return *tensorflow;
  }
  /// Of a CPU build, one of which nothing is known.
  const Toolkit& toolkit() const {
    static const Toolkit none;
    return cuda ? *cuda : none;
  }

  template <class Self, class Visit>
  static void members(Self& self, Visit& visit) {
    visit("torch", self.torch), visit("tensorflow", self.tensorflow), visit("cuda", self.cuda), visit("cudnn", self.cudnn);
    visit("python", self.python), visit("python_provider", self.python_provider), visit("pythons", self.pythons);
    visit("driver", self.driver), visit("gpus", self.gpus), visit("os", self.os), visit("system", self.system);
    visit("platform", self.platform), visit("variant", self.variant), visit("installer", self.installer);
    visit("base", self.base), visit.sparse("engine", self.engine), visit("images", self.images),
        visit("image_layout", self.image_layout);
  }
  /// What stands beside the environment in a lock or an answer.
  template <class Self, class Visit>
  static void advice(Self& self, Visit& visit) {
    visit("pins", self.pins), visit("env", self.env), visit("warnings", self.warnings), visit("reasons", self.reasons);
    visit.sparse("frozen", self.frozen);
  }
};

}  // namespace envgen
