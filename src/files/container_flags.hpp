#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/gpu_selection.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// A flag of `docker run` or `podman run`, as words that are not yet quoted.
struct ContainerFlag {
  std::vector<std::string> words;
  std::string_view why;  ///< a text of the program
};

/// The GPUs that a container gets; a CPU build gets none, whatever was selected. Errors: those of gpu_selection.
Expected<GpuSelection> container_gpus(const Inputs& inputs);

/// `--gpus`, or devices by their CDI names.
std::vector<ContainerFlag> gpu_flags(const GpuSelection& selection, bool by_cdi);

/// Whether it may lock memory without limit: only what talks to a GPU pins any, and an engine without root cannot allow it.
bool pins_memory(const Environment& environment);

/// Shared memory and limits.
std::vector<ContainerFlag> resource_flags(const Inputs& inputs);

}  // namespace envgen::files
