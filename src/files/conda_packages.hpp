#pragma once

#include <string>
#include <vector>

#include "files/options.hpp"

namespace envgen::files {

/// What conda installs, for environment.yaml and for a Dockerfile alike.
struct CondaPackages {
  std::vector<std::string> channels;  ///< in their order of priority
  std::vector<std::string> specs;     ///< match specifications: `pytorch==2.5.1`, `mkl<2024.1`
};

/// True of a build of the channel `pytorch`, else it is conda-forge's.
bool is_of_pytorch_channel(const Environment& environment);

/// pip is among them where it installs something besides: conda's Python need not bring it. Errors (usage): the environment is
/// not one of conda.
Expected<CondaPackages> conda_packages(const Inputs& inputs);

/// The variables that conda is told: those of the environment, and beside CONDA_OVERRIDE_CUDA, by which a machine without a
/// driver gets the build for CUDA, the capability of the weakest board (CONDA_OVERRIDE_CUDA_ARCH; conda/ceps, cep-0046).
std::vector<std::pair<std::string, std::string>> conda_variables(const Environment& environment);

/// The CUDA that stands for the driver of a machine without one (CONDA_OVERRIDE_CUDA); null: nothing does.
const std::string* overridden_cuda(const Environment& environment);

/// True when the environment is to hold nvcc: it was asked for, or something compiles (`variant` devel) and a channel has it.
bool wants_conda_toolkit(const Inputs& inputs);

/// True of a devel environment on a plain system: what compiles finds nvcc in the environment itself, or nowhere.
bool brings_conda_toolkit(const Environment& environment);

/// What conda installs, and where the environment is to hold nvcc, that of torch's CUDA and a compiler that it accepts. Beside
/// builds of the pytorch channel all of it comes from the toolkit's own label, which stands first: a package taken as
/// `LABEL::cuda-toolkit` alone draws newer ones from elsewhere. Beside those of conda-forge it is conda-forge's own, which starts
/// at CUDA 12. Errors (usage): those of conda_packages; nvcc is asked for, and the build is one for the CPU, or no channel has
/// that nvcc.
Expected<CondaPackages> conda_packages_with_toolkit(const Inputs& inputs);

/// Where the toolkit's headers are in an environment: `targets/x86_64-linux/include`.
std::string conda_toolkit_headers(const Environment& environment);

/// What conda's compilers begin with: `x86_64-conda-linux-gnu`.
std::string conda_compiler(const Environment& environment);

}  // namespace envgen::files
