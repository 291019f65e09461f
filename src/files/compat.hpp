#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/options.hpp"

namespace envgen::files {

/// Where an output's environment runs: in a container of the image that the Dockerfile makes, or on the machine itself.
enum class RunsIn { image, machine };

/// How an image comes by the cuda-compat that some machine needs.
struct ImageCompat {
  /// The NVIDIA container toolkit looks here, and uses what it finds wherever the driver is older (`defaultCudaCompatPath` in
  /// NVIDIA/nvidia-container-toolkit, cmd/nvidia-cdi-hook/cudacompat/cudacompat.go).
  static constexpr std::string_view used_by_itself = "/usr/local/cuda/compat";
  /// Here it does not look: for an image that also runs where cuda-compat is not known to work.
  static constexpr std::string_view used_on_demand = "/opt/cuda-compat";

  bool in_base = false;                  ///< the image that it starts from holds it
  std::optional<std::string> copy_from;  ///< the image that it is copied from; none, and not in_base: none is known
  std::string source;                    ///< its folder there: `/usr/local/cuda-12.8/compat`
  std::string_view place;                ///< its folder in the image
  std::string why;                       ///< `for driver 470 of the V100`

  bool is_there() const { return in_base || copy_from; }
  bool moves() const { return in_base && place != used_by_itself; }
};

/// None: no machine needs cuda-compat.
std::optional<ImageCompat> image_compat(const Environment& environment);

/// What a user must know of cuda-compat, a line each, for the head of a file and for standard error: that the image holds it, or
/// what is to be done where it does not come along.
std::vector<std::string> compat_notes(const Inputs& inputs, RunsIn runs_in);

}  // namespace envgen::files
