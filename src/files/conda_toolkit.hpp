#pragma once

#include "files/conda_packages.hpp"
#include "files/options.hpp"

/// nvcc inside a conda environment, for machines that have none of their own.
namespace envgen::files {

/// True when the environment is to hold nvcc: it was asked for, or something compiles (`variant` devel) and a channel has it.
bool wants_conda_toolkit(const Inputs& inputs);

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
