#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "json.hpp"

namespace envgen::bench {

/// A device node of the driver: /dev/nvidia0, nvidiactl, nvidia-uvm ..., and /dev/dxg under WSL 2.
struct DeviceNode {
  std::string path;
  std::string error;  ///< what opening it said; empty: it opens

  /// Whether it stands for a GPU, and not for the driver as a whole.
  bool is_gpu() const;
};

std::vector<DeviceNode> device_nodes(const std::filesystem::path& folder);
Json to_json(const std::vector<DeviceNode>& nodes);

/// The release of the loaded kernel module (`535.183.01`) from /proc/driver/nvidia/version, whose first line ends differently for
/// the open module; "" where there is none.
std::string kernel_driver_version(const std::filesystem::path& file);

/// The release that a library's real name ends with: `535.183.01` of `libcuda.so.535.183.01`; "" where it is none.
std::string library_release(const std::string& path);

}  // namespace envgen::bench
