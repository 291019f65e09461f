// The CUDA kernel of fused_bias_gelu::bias_gelu.
#include "bias_gelu.h"

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include <algorithm>

namespace fused_bias_gelu {
namespace {

constexpr int threads_per_block = 256;
constexpr int blocks_per_multiprocessor = 16;
constexpr int64_t most_blocks_in_y = 65535;

// A thread keeps the bias of one column in a register and walks down that column; neighbours read neighbouring columns.
template <typename scalar_t>
__global__ void __launch_bounds__(threads_per_block)
    bias_gelu_kernel(const scalar_t* __restrict__ input, const scalar_t* __restrict__ bias,
                     scalar_t* __restrict__ output, int64_t rows, int64_t columns) {
  using compute_t = at::opmath_type<scalar_t>;
  const int64_t column = static_cast<int64_t>(blockIdx.x) * threads_per_block + threadIdx.x;
  if (column >= columns) {
    return;
  }
  const compute_t shift = static_cast<compute_t>(bias[column]);
  for (int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
    const int64_t index = row * columns + column;
    output[index] = static_cast<scalar_t>(gelu(static_cast<compute_t>(input[index]) + shift));
  }
}

// Enough blocks to fill the GPU several times over, and no more: each one then has several rows for its bias.
dim3 grid_for(int64_t rows, int64_t columns, c10::DeviceIndex device) {
  int multiprocessors = 0;
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const int64_t across = (columns + threads_per_block - 1) / threads_per_block;
  const int64_t wanted = std::max<int64_t>(1, blocks_per_multiprocessor * multiprocessors / across);
  return dim3(static_cast<unsigned>(across), static_cast<unsigned>(std::min({rows, wanted, most_blocks_in_y})));
}

at::Tensor bias_gelu_cuda(const at::Tensor& input, const at::Tensor& bias) {
  check_arguments(input, bias);
  const c10::cuda::CUDAGuard guard(input.device());
  const at::Tensor source = input.contiguous();
  const at::Tensor row = bias.contiguous();
  at::Tensor output = at::empty_like(source);
  if (output.numel() == 0) {
    return output;
  }
  const int64_t columns = row.size(0);
  const int64_t rows = source.numel() / columns;
  const dim3 grid = grid_for(rows, columns, source.device().index());

  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, source.scalar_type(), "bias_gelu_cuda", [&] {
    bias_gelu_kernel<scalar_t><<<grid, threads_per_block, 0, c10::cuda::getCurrentCUDAStream()>>>(
        source.const_data_ptr<scalar_t>(), row.const_data_ptr<scalar_t>(), output.mutable_data_ptr<scalar_t>(), rows,
        columns);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return output;
}

}  // namespace

TORCH_LIBRARY_IMPL(fused_bias_gelu, CUDA, library) { library.impl("bias_gelu", &bias_gelu_cuda); }

}  // namespace fused_bias_gelu
