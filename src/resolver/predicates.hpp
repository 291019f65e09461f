#pragma once

#include <cstdint>
#include <span>

#include "matrix/matrix.hpp"
#include "resolver/query.hpp"

/// The physics of the field, one small function each: what code runs on which GPU, and what a driver can carry.
namespace envgen::resolver {

/// How a GPU runs a build.
enum class Runs : std::uint8_t { sass, ptx, no, unknown };
struct CodePath {
  Runs runs = Runs::no;
  Arch via;                 ///< the compiled target that runs, for sass and ptx
  bool maybe_sass = false;  ///< the list of machine code was not read, and its toolkit can compile for this GPU

  bool known_to_run() const { return runs == Runs::sass || runs == Runs::ptx; }
};

/// True when machine code for `target` runs on a GPU of `capability`: the same major with a minor not above the GPU's.
/// Exceptions: code crosses the border to or from a Tegra GPU in no direction (8.7, 10.1 and their like), `a` targets run on
/// exactly their capability, `f` targets within their major.
/// https://docs.nvidia.com/cuda/ada-compatibility-guide/ and the nvcc documentation, "GPU feature list".
/// `cuda`: what the code was built for. From 13.2 on an Orin (8.7) runs the code of 8.0 and 8.6, for Jetson has the driver of
/// other Arm machines since JetPack 7.2: torch/cuda/__init__.py in the wheels of 2.14.1 and 2.15.0
/// (DEVICE_REQUIREMENT_POST_JETSON_SBSA_UNIFICATION), pytorch/pytorch#186285.
bool sass_runs(const matrix::Matrix& matrix, Arch target, Capability capability, Version cuda = {});

/// True when PTX for `target` can be compiled by the driver for a GPU of `capability`: any capability at or above it.
bool ptx_runs(Arch target, Capability capability);

/// True when the build is known to fail on such GPUs, whatever code it has for them.
bool fails_on(const matrix::Build& build, Capability capability);

/// The best path that a build offers a GPU. `sass` wins over `ptx`: it asks less of the driver.
/// A list that is unknown can only hold what the toolkit of that CUDA can target, so it is not always a maybe.
CodePath code_path(const matrix::Matrix& matrix, const matrix::Build& build, Capability capability);
/// The same for lists that are known, of a build that need not be in the matrix.
CodePath code_path(const matrix::Matrix& matrix, std::span<const Arch> sass, std::span<const Arch> ptx, Capability capability,
                   Version cuda);

/// A later cuDNN that is known to end below a GPU for every CUDA; none: there is none. No cuDNN before it serves the GPU: each
/// has added GPUs at its newer end, and none has lost one there (the support matrices, 7.6 to 9.26).
const matrix::Cudnn* later_cudnn_without(const matrix::Matrix& matrix, Version cudnn, Capability capability);

/// True, false, or unknown: does this release of cuDNN serve the GPU when built for the build's CUDA? `path`: how the GPU runs
/// the build. What a later release says of GPUs that it does not serve counts.
matrix::Tribool release_serves(const matrix::Matrix& matrix, const matrix::Cudnn& cudnn, const matrix::Build& build,
                               Capability capability, const CodePath& path);

/// The same of the cuDNN that the build states. `os`: the system that was asked for
/// (null: none), on which it depends what conda's solver may take.
matrix::Tribool cudnn_serves(const matrix::Matrix& matrix, const matrix::Build& build, const matrix::Os* os,
                             Capability capability, const CodePath& path);

/// The glibc that a system must have which nobody asked for: of the build, and of the cuDNN that conda's solver or pip is to
/// take. On a system that was asked for, they take a cuDNN that loads there. None: unknown.
Version needed_glibc(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build);

/// The five predicates of the driver question as bits, in the order of CarriedBy, for what carried an answer.
enum Carrier : std::uint8_t { gpu_driver = 1, native = 2, minor_compat = 4, forward_compat = 8, image_gate = 16 };

/// The newest CUDA minor that a driver reports, by the drivers that minors began with; none = older than all of them.
Version reported_cuda(const matrix::Matrix& matrix, DriverVersion driver);

/// The oldest driver that reports the build's CUDA minor, none = unknown.
DriverVersion native_floor(const matrix::Matrix& matrix, const matrix::Build& build);
/// The oldest driver that runs any build of this CUDA major through minor-version compatibility; none where the major has none.
DriverVersion minor_compat_floor(const matrix::Matrix& matrix, const matrix::Build& build);

matrix::Tribool is_native(const matrix::Matrix& matrix, const matrix::Build& build, DriverVersion driver);
bool is_minor_compatible(const matrix::Matrix& matrix, const matrix::Build& build, DriverVersion driver);
/// Whether some driver that knows the machine's boards reports the build's CUDA, by the table of branches alone.
matrix::Tribool some_branch_reports(const matrix::Matrix& matrix, const matrix::Build& build, const AskedMachine& machine);
/// Whether cuda-compat is meant for this board: those of data centres, and Jetson (CUDA Compatibility guide, "Forward
/// compatibility").
bool is_for_cuda_compat(matrix::GpuClass gpu_class);
/// What is known of a cuda-compat package under a driver branch.
struct CompatRow {
  const matrix::ForwardCompat* row = nullptr;  ///< null: nothing
  bool inferred = false;                       ///< the row is of an earlier package, which refuses the branch
};
/// NVIDIA's own row where it published one. Otherwise the newest earlier package that refuses the branch as too old: the lists of
/// refused branches in the release notes of its containers (23.06, 24.06 and 25.10, for CUDA 12.1, 12.4 and 12.8) have only
/// grown.
CompatRow compat_row(const matrix::Matrix& matrix, Version cuda, std::uint16_t branch);
/// Whether the cuda-compat package of the build's CUDA lifts this driver's branch, by `compat_row`; unknown where nothing is
/// known, and for a number before the first release of the branch.
matrix::Tribool is_forward_compatible(const matrix::Matrix& matrix, const matrix::Build& build, DriverVersion driver);

/// What carries a build on one machine.
struct Carried {
  matrix::Tribool answer = matrix::Tribool::no;
  std::uint8_t by = 0;    ///< Carrier bits
  DriverVersion driver;   ///< of the machine's drivers the first that works; none when the driver is free
  DriverVersion minimum;  ///< the oldest driver that would do, none = any or unknown (Tegra)
};

/// `jit`: PTX must be compiled by the driver, so it has to be native. `allow_forward`: cuda-compat may be used.
Carried carried_on(const matrix::Matrix& matrix, const matrix::Build& build, const AskedMachine& machine, bool jit,
                   bool allow_forward);

/// Whether the exceptions of a gate let a class of GPUs pass under a driver branch. Which brand one board reports was not
/// read, so its class passes when every brand of the class is named, and is refused when none is.
matrix::Tribool gate_lets(const matrix::Gate& gate, matrix::GpuClass gpu_class, std::uint16_t branch);
/// Whether a gate for this CUDA that was not read names no consumer boards: NVIDIA's Dockerfiles name GeForce up to CUDA 12.4,
/// and from 12.5 on data-centre and workstation boards alone.
bool is_past_consumers(const matrix::Matrix& matrix, Version cuda);
/// NVIDIA_REQUIRE_CUDA: does an image start under this driver on these boards? Its `gate` is an index, -1 where it was not read.
matrix::Tribool gate_opens(const matrix::Matrix& matrix, int gate, const matrix::Build& build, const Query& query,
                           const AskedMachine& machine, DriverVersion driver);

/// The asked drivers of a machine under which the image starts (`yes`), or may start (`unknown`: those of which it is not known
/// are among them).
std::vector<DriverVersion> past_gate(const matrix::Matrix& matrix, int gate, const matrix::Build& build, const Query& query,
                                     const AskedMachine& machine, matrix::Tribool at_least);

/// Whether some driver that knows a machine's boards opens an image's gate, and the oldest one from which on all do (or, where
/// none reports the CUDA, the first exception); none: not known.
struct Admitted {
  matrix::Tribool answer = matrix::Tribool::no;
  DriverVersion minimum;
};
Admitted admitted_by(const matrix::Matrix& matrix, int gate, const matrix::Build& build, const Query& query,
                     const AskedMachine& machine);

/// Whether cuda-compat, which another machine needs, does no harm on this one, whose drivers are those that open the image's gate
/// and are `carried`: under each of them it is known to work, or the driver is newer and stays in use.
bool compat_is_harmless(const matrix::Matrix& matrix, const matrix::Build& build, const AskedMachine& machine,
                        const Carried& carried, bool jit);

/// The image from which the cuda-compat of the build's CUDA can be taken: small, and of those that were published one that is
/// still maintained where there is one, best a listed one. Null: none is known for the build's platform.
const matrix::ImageTag* compat_image(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build);

}  // namespace envgen::resolver
