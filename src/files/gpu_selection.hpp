#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/options.hpp"

namespace envgen::files {

/// Which GPUs a container gets: `all`, `none`, a number, or devices (`device=0,1`, `device=0:0` for a MIG slice, UUIDs, which
/// need no `device=`). https://docs.docker.com/engine/containers/gpu/, https://docs.nvidia.com/datacenter/tesla/mig-user-guide/
struct GpuSelection {
  bool all = false;
  std::optional<int> count;
  std::vector<std::string> devices;  ///< as docker takes them
  bool none() const { return !all && !count && devices.empty(); }
};

/// Errors (usage): none of these; a number for podman.
Expected<GpuSelection> gpu_selection(const Options& options);

/// The CDI names of the selection: `nvidia.com/gpu=all`, `nvidia.com/gpu=0:0`.
/// https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/cdi-support.html
std::vector<std::string> cdi_names(const GpuSelection& selection);

}  // namespace envgen::files
