#include "sizes.hpp"

#include <algorithm>

namespace envgen::bench {

Sizes sizes_for(const Options& options) {
  Sizes sizes;
  if (options.profile == Profile::smoke) sizes.gemm = {128, 2048};
  if (options.scale == 1) return sizes;
  const auto scale = static_cast<std::size_t>(options.scale);
  // 4 KiB is a page, and a multiple of every element and of the 16 bytes of a thread.
  constexpr std::size_t page = 4096;
  const auto pages = [&](std::size_t bytes) { return std::max(bytes / scale / page, std::size_t{1}) * page; };
  sizes.kernel_words = pages(sizes.kernel_words);
  sizes.copy_bytes = pages(sizes.copy_bytes);
  sizes.device_copy_bytes = pages(sizes.device_copy_bytes);
  for (auto& n : sizes.gemm) n = std::max(n / options.scale, 16);
  sizes.gemm.erase(std::unique(sizes.gemm.begin(), sizes.gemm.end()), sizes.gemm.end());
  for (auto& count : sizes.vector_floats) count = pages(count);
  sizes.shared_batch_bytes = pages(sizes.shared_batch_bytes);
  sizes.storage_bytes = std::max(sizes.storage_bytes / scale, std::size_t{1} << 20) >> 20 << 20;
  sizes.all_reduce_floats = pages(sizes.all_reduce_floats);
  sizes.block_hidden = std::max(sizes.block_hidden / options.scale, 64);
  sizes.warm_up_seconds = 0;
  return sizes;
}

}  // namespace envgen::bench
