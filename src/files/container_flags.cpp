#include "files/container_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace envgen::files {

Expected<GpuSelection> container_gpus(const Inputs& inputs) {
  auto selection = gpu_selection(inputs.options);
  if (!selection) return selection;
  if (selection->count && inputs.cdi())
    return fail(ErrorCode::usage, fmt::format("{} takes device names, not a number of GPUs", name_of(*inputs.environment.engine)),
                inputs.options.container_gpus.where, {"device=0,1", "all"});
  const auto& driver = inputs.environment.driver;
  // NVIDIA, CUDA on WSL User Guide: only --gpus all is supported, because GPUs cannot be filtered there.
  if (driver && driver->range.windows_cuda && !selection->all && !selection->none())
    return fail(ErrorCode::usage, "containers in WSL 2 get all GPUs or none", inputs.options.container_gpus.where,
                {"all", "none"});
  if (inputs.environment.build().cuda || selection->none()) return selection;
  if (const auto& where = inputs.options.container_gpus.where; !where.empty())
    return fail(ErrorCode::usage, "a CPU build uses no GPU, so its container gets none", where, {"leave it out"});
  return GpuSelection{};
}

bool pins_memory(const Environment& environment) { return environment.build().cuda.has_value(); }

std::vector<ContainerFlag> gpu_flags(const GpuSelection& selection, bool by_cdi) {
  std::vector<ContainerFlag> flags;
  if (by_cdi) {
    const auto* meaning = selection.all ? "every GPU, by CDI name" : "this GPU, by CDI name";
    for (const auto& name : cdi_names(selection)) flags.push_back({{"--device", name}, meaning});
    if (!selection.none()) flags.push_back({{"--security-opt", "label=disable"}, "SELinux would block the devices"});
  } else if (selection.all) {
    flags.push_back({{"--gpus", "all"}, "every GPU"});
  } else if (selection.count) {
    flags.push_back({{"--gpus", std::to_string(*selection.count)}, "this many GPUs"});
  } else if (!selection.devices.empty()) {
    // Docker reads the value as CSV, so the commas need quotes of their own.
    flags.push_back({{"--gpus", fmt::format("\"device={}\"", fmt::join(selection.devices, ","))}, "these GPUs"});
  }
  return flags;
}

std::vector<ContainerFlag> resource_flags(const Inputs& inputs) {
  const auto& options = inputs.options;
  std::vector<ContainerFlag> flags;
  if (options.shm_size.value.empty()) {
    flags.push_back({{"--ipc=host"}, "DataLoader workers and NCCL exchange data in /dev/shm; the default is 64 MB"});
  } else {
    flags.push_back({{"--shm-size=" + options.shm_size.value}, "for DataLoader workers and NCCL; the default is 64 MB"});
  }
  if (inputs.podman()) {
    flags.push_back({{"--ulimit", "host"}, "the host's limits, which a non-root user cannot raise"});
  } else {
    if (pins_memory(inputs.environment)) flags.push_back({{"--ulimit", "memlock=-1"}, "pinned memory and InfiniBand"});
    flags.push_back({{"--ulimit", "stack=67108864"}, "deep recursion in compilers; NVIDIA's images recommend this limit"});
  }
  return flags;
}

}  // namespace envgen::files
