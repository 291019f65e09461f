#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace envgen::update {

/// `12.4.1-cudnn-devel-ubuntu22.04` of nvidia/cuda: what its parts say. Tags that move (`latest`, `12.4.1-base`) are none.
struct CudaTag {
  std::string cuda;  ///< `12.4.1`
  bool has_cudnn = false;
  std::string cudnn;    ///< `8` of `-cudnn8-`; empty: the tag does not say
  std::string variant;  ///< base, runtime or devel
  std::string os;       ///< `ubuntu22.04`

  static std::optional<CudaTag> parse(std::string_view tag);
};

/// `2.3.1-cuda12.1-cudnn8-devel` of pytorch/pytorch.
struct PytorchTag {
  std::string torch;
  std::string cuda;
  std::string cudnn;
  std::string variant;

  static std::optional<PytorchTag> parse(std::string_view tag);
};

/// `2.15.0-gpu-jupyter` of tensorflow/tensorflow. The images without a GPU are none.
struct TensorflowTag {
  std::string tensorflow;  ///< `2.15.0`
  std::string variant;     ///< gpu or gpu-jupyter

  static std::optional<TensorflowTag> parse(std::string_view tag);
};

}  // namespace envgen::update
