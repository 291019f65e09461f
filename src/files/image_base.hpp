#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/compat.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// What an image starts from, and what its system lacks before Python comes.
struct ImageBase {
  std::string image;                  ///< of FROM
  std::vector<std::string> packages;  ///< of apt
  std::string packages_why;
  bool drops_compat = false;          ///< the image holds cuda-compat, which no driver here needs
  std::optional<ImageCompat> compat;  ///< what becomes of cuda-compat where some driver needs it
};

/// Errors (usage): no image was published or read for what the environment says; a system without apt.
Expected<ImageBase> image_base(const Inputs& inputs);

/// The compiler to install where the system's own is newer than nvcc accepts: `12`; empty: the system's own will do.
std::string older_gcc(const Environment& environment);

/// TORCH_CUDA_ARCH_LIST for the asked GPUs, else for all that the build has code for; empty: unknown.
std::string arch_list(const Environment& environment);

}  // namespace envgen::files
