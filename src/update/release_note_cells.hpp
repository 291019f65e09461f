#pragma once

#include <optional>
#include <string>
#include <string_view>

/// What stands in the cells of the tables of drivers of NVIDIA's release notes.
namespace envgen::update {

/// What `CUDA 13.2 Update 1` and the like are.
struct CudaRelease {
  std::string minor;
  std::string toolkit;   ///< empty: the label does not determine it
  bool general = false;  ///< the general-availability release of its minor
};

/// nullopt: it does not begin with a version.
std::optional<CudaRelease> cuda_release(std::string_view label);

/// `13` of `CUDA 13.x`; empty of `CUDA 11.8.x` and `CUDA 11.1 (11.1.0)`; nullopt: it is neither.
std::optional<std::string> cuda_major(std::string_view label);

/// `595.45.04` of `>=595.45.04**`; empty of `N/A`; nullopt: it is no number.
std::optional<std::string> driver_of(std::string_view cell);

/// `615` of `R615`.
std::optional<std::string> branch_of(std::string_view cell);

}  // namespace envgen::update
