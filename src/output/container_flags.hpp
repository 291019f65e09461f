#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/gpu_selection.hpp"
#include "output/options.hpp"

namespace envgen::output {

/// A flag of `docker run` or `podman run`, as words that are not yet quoted.
struct ContainerFlag {
  std::vector<std::string> words;
  std::string_view why;  ///< a text of the program
};

/// The GPUs that a container gets; a CPU build gets none, whatever was selected. Errors: those of gpu_selection.
Expected<GpuSelection> container_gpus(const Subject& subject);

/// `--gpus`, or podman's devices by their CDI names.
std::vector<ContainerFlag> gpu_flags(const GpuSelection& selection, bool podman);

/// Whether it may lock memory without limit: only what talks to a GPU pins any, and an engine without root cannot allow it.
bool pins_memory(const Environment& environment);

/// Shared memory and limits.
std::vector<ContainerFlag> resource_flags(const Subject& subject);

}  // namespace envgen::output
