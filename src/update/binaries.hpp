#pragma once

#include <optional>
#include <string>

#include "update/source.hpp"
#include "util/byte_source.hpp"

namespace envgen::update {

/// The GPUs that a build of torch is compiled for.
struct CompiledFor {
  Json sass = Json::array();  ///< `["7.5", "8.0", "9.0a"]`
  Json ptx = Json::array();
};

/// The list that torch.cuda.get_arch_list() returns, which stands as a text in torch/lib/libtorch_python.so: `sm_75 sm_80
/// compute_90`. That member alone is read, 10 MB of a wheel of 500. None: it has no such text, as builds for CPUs have not.
/// Errors: those of the source; (bad_input) it is no wheel of torch.
Expected<std::optional<CompiledFor>> read_arch_list(util::ByteSource& wheel, const std::string& origin);

/// The CUDA major that torchaudio/lib/libtorchaudio.so links with, from its `libcudart.so.13`. None: it links with no CUDA.
/// Errors: those of the source; (bad_input) there is no such library in it.
Expected<std::optional<unsigned>> read_linked_cuda(util::ByteSource& wheel, const std::string& origin);

/// What nvcc of a toolkit compiles for: the names in its binary, `sm_90` and `sm_90a`. `wheel`: of nvidia-cuda-nvcc.
struct NvccTargets {
  Json archs = Json::array();          ///< `["7.5", "8.0"]`
  Json arch_specific = Json::array();  ///< `["9.0a", "10.0f"]`
};
/// Errors: those of the source; (bad_input) there is no nvcc in it, or it names no target.
Expected<NvccTargets> read_nvcc_targets(util::ByteSource& wheel, const std::string& origin);

/// The newest major of GCC that crt/host_config.h accepts: the number in `#if __GNUC__ > 16`. `wheel`: of nvidia-cuda-crt, or of
/// nvidia-cuda-nvcc before CUDA 13. None: it has no such line.
/// Errors: those of the source; (bad_input) there is no host_config.h in it.
Expected<std::optional<int>> read_newest_gcc(util::ByteSource& wheel, const std::string& origin);

}  // namespace envgen::update
