// The operator fused_bias_gelu::bias_gelu and its CPU kernel.
#include "bias_gelu.h"

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include <algorithm>

namespace fused_bias_gelu {
namespace {

constexpr int64_t elements_per_task = 32768;  // fewer are not worth a thread

at::Tensor bias_gelu_cpu(const at::Tensor& input, const at::Tensor& bias) {
  check_arguments(input, bias);
  const at::Tensor source = input.contiguous();
  const at::Tensor row = bias.contiguous();
  at::Tensor output = at::empty_like(source);
  if (output.numel() == 0) {
    return output;
  }
  const int64_t columns = row.size(0);
  const int64_t rows = source.numel() / columns;
  const int64_t rows_per_task = std::max<int64_t>(1, elements_per_task / columns);

  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, source.scalar_type(), "bias_gelu_cpu", [&] {
    using compute_t = at::opmath_type<scalar_t>;
    const scalar_t* in = source.const_data_ptr<scalar_t>();
    const scalar_t* b = row.const_data_ptr<scalar_t>();
    scalar_t* out = output.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, rows, rows_per_task, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
          const int64_t index = i * columns + j;
          out[index] = static_cast<scalar_t>(gelu(static_cast<compute_t>(in[index]) + static_cast<compute_t>(b[j])));
        }
      }
    });
  });
  return output;
}

}  // namespace

TORCH_LIBRARY(fused_bias_gelu, library) { library.def("bias_gelu(Tensor input, Tensor bias) -> Tensor"); }

TORCH_LIBRARY_IMPL(fused_bias_gelu, CPU, library) { library.impl("bias_gelu", &bias_gelu_cpu); }

}  // namespace fused_bias_gelu
