#pragma once

#include "update/source.hpp"

/// What reads each source of sources.cpp. Facts that are known already are left alone.
namespace envgen::update {

/// The tables of drivers in NVIDIA's release notes of CUDA (https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/): the driver
/// of each toolkit, the driver branch of each minor from 13.0 on, and the first driver of minor-version compatibility for each
/// major.
Expected<std::vector<Reading>> read_nvidia_release_notes(Visit& visit);

/// NVIDIA's redistributable archives (https://developer.download.nvidia.com/compute/): an index of manifests each for CUDA, cuDNN
/// and the driver, `redistrib_13.5.0.json`. CUDA's names the driver that a toolkit comes with, which is the first to report its
/// minor.
Expected<std::vector<Reading>> read_nvidia_redist(Visit& visit);

/// PyTorch's wheel index (https://download.pytorch.org/whl/torch/): the file names of all wheels, which say version, CUDA, Python
/// and platform. The page is made by pytorch/test-infra, s3_management/manage.py.
Expected<std::vector<Reading>> read_wheel_index(Visit& visit);

/// The tags of nvidia/cuda, pytorch/pytorch and tensorflow/tensorflow with their digests, from Docker Hub
/// (https://hub.docker.com/v2/repositories/).
Expected<std::vector<Reading>> read_docker_hub(Visit& visit);

/// The labels of the nvidia channel, and the builds of PyTorch on `pytorch` and `conda-forge`, from Anaconda's index of single
/// packages (https://api.anaconda.org/package/), as the repodata of a whole channel is 300 MB.
Expected<std::vector<Reading>> read_conda(Visit& visit);

/// What the wheels on the package index that pip is configured with say: TensorFlow's releases, PyTorch's releases and builds
/// with what they pin, its companions, and the releases of cuDNN and of the CUDA toolkit.
Expected<std::vector<Reading>> read_package_index(Visit& visit);

}  // namespace envgen::update
