#include "update/source.hpp"

#include <array>

#include "update/readers.hpp"

namespace envgen::update {

std::span<const Source> sources() {
  // In the order in which they are read: what a toolkit compiles for stands in its wheels, and its driver beside it. The release
  // notes name the driver that a toolkit needs, the manifests the one that comes with it, which is newer now and then.
  static constexpr std::array<Source, 6> all{{
      {"package-index", "the package index that pip is configured with", read_package_index, false},
      {"wheel-index", "PyTorch's wheel index", read_wheel_index},
      {"nvidia-release-notes", "NVIDIA's release notes of CUDA: the drivers of the toolkits", read_nvidia_release_notes},
      {"nvidia-redist", "NVIDIA's manifests of CUDA, cuDNN and drivers", read_nvidia_redist},
      {"docker-hub", "the tags of nvidia/cuda, pytorch/pytorch and tensorflow/tensorflow on Docker Hub", read_docker_hub},
      {"conda", "labels of the nvidia channel, and PyTorch on conda-forge", read_conda},
  }};
  return all;
}

}  // namespace envgen::update
