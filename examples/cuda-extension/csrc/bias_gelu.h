// What the CPU and the CUDA kernel of bias_gelu share.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <cmath>

namespace fused_bias_gelu {

// The exact GELU: x times the probability that a standard normal variable is below x.
template <typename T>
C10_HOST_DEVICE inline T gelu(T x) {
  constexpr T half = T(0.5);
  constexpr T inverse_sqrt2 = T(0.70710678118654752440);
  return half * x * (T(1) + std::erf(x * inverse_sqrt2));
}

inline void check_arguments(const at::Tensor& input, const at::Tensor& bias) {
  TORCH_CHECK(bias.dim() == 1, "bias_gelu: bias has to have one dimension, not ", bias.dim());
  TORCH_CHECK(input.dim() >= 1 && input.size(-1) == bias.size(0), "bias_gelu: the last dimension of input has to be ",
              bias.size(0), " as that of bias; input is ", input.sizes());
  TORCH_CHECK(input.scalar_type() == bias.scalar_type(), "bias_gelu: input is ", input.scalar_type(), ", bias is ",
              bias.scalar_type());
  TORCH_CHECK(input.device() == bias.device(), "bias_gelu: input is on ", input.device(), ", bias on ", bias.device());
}

}  // namespace fused_bias_gelu
