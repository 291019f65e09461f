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

}  // namespace envgen::files
