// Names of boards as people write them.
#include "fuzz/fuzz.hpp"
#include "matrix/embedded/embedded.hpp"
#include "matrix/gpu_names.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace envgen;
  const auto text = fuzz::text_of(data, size);
  const auto matrix = matrix::embedded();
  const auto light = matrix::light_key(text);
  fuzz::require(matrix::light_key(light).size() <= light.size(), "a key does not grow when it is made a key again");
  fuzz::require(matrix::full_key(text).size() <= light.size(), "the full key leaves words out");
  const auto split = matrix::split_memory(text);
  fuzz::require(split.name.size() <= text.size() && split.gigabytes >= 0, "a memory size is split off the end");
  for (const auto* gpu : matrix.gpus_named(text)) {
    fuzz::require(!matrix.gpus_named(gpu->name.view()).empty(), "a board is found by its own name");
  }
  return 0;
}
