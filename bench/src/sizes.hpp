#pragma once

#include <cstddef>
#include <vector>

#include "options.hpp"

namespace envgen::bench {

/// How much each test handles (facts/bench.md); `--scale` divides it all.
struct Sizes {
  std::size_t kernel_words = 16U << 20;
  std::size_t copy_bytes = 256U << 20;
  std::size_t device_copy_bytes = 512U << 20;  ///< at least, and 8 times the L2 cache
  std::vector<int> gemm{128, 512, 2048, 8192};
  std::vector<std::size_t> vector_floats{64U << 10, 256U << 10, 1U << 20, 4U << 20, 64U << 20};
  std::size_t shared_batch_bytes = std::size_t{64} * 3 * 224 * 224 * 4;  ///< one batch of fp32 images
  std::size_t storage_bytes = 1U << 30;
  std::size_t all_reduce_floats = 64U << 20;
  int block_hidden = 1024;
  double warm_up_seconds = 0.5;
  int samples = 20;
};

Sizes sizes_for(const Options& options);

}  // namespace envgen::bench
