#include <vector>

#include "driver.hpp"
#include "failure.hpp"
#include "generator.hpp"
#include "image_libraries.hpp"
#include "session.hpp"
#include "tests/tests.hpp"

namespace envgen::bench::tests {
namespace {

constexpr unsigned runtime_seed = 20'262;
constexpr std::size_t runtime_words = 1U << 20;

void check_runtime(const Runtime& runtime, api::cudart::Result result, const char* call) {
  if (result == api::cudart::success) return;
  int driver_version = 0;
  runtime.api.cudaDriverGetVersion(&driver_version);
  Failure failure;
  failure.id = cuda_failure_id(result, driver_version);
  failure.message = std::string(call) + ": " + runtime.api.cudaGetErrorString(result) + " (error " + std::to_string(result) + ")";
  failure.code = result;
  failure.name = runtime.api.cudaGetErrorName(result);
  failure.call = call;
  throw TestFailed(failure);
}

}  // namespace

/// The image's own CUDA Runtime: it finds the device, and a buffer comes back from there as it went.
std::vector<Row> runtime(const Context& context) {
  const Runtime runtime = open_runtime(context.places);
  const auto check = [&](api::cudart::Result result, const char* call) { check_runtime(runtime, result, call); };
  int count = 0;
  check(runtime.api.cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  int version = 0;
  int driver_version = 0;
  check(runtime.api.cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
  check(runtime.api.cudaDriverGetVersion(&driver_version), "cudaDriverGetVersion");
  check(runtime.api.cudaSetDevice(context.device), "cudaSetDevice");
  std::vector<unsigned> words(runtime_words);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = generated_word(runtime_seed, i);
  const auto expected = host_digest(words.data(), words.size());
  const auto bytes = words.size() * sizeof(unsigned);
  void* memory = nullptr;
  check(runtime.api.cudaMalloc(&memory, bytes), "cudaMalloc");
  check(runtime.api.cudaMemset(memory, 0xa5, bytes), "cudaMemset");
  check(runtime.api.cudaMemcpy(memory, words.data(), bytes, api::cudart::host_to_device), "cudaMemcpy");
  words.assign(words.size(), 0);
  check(runtime.api.cudaMemcpy(words.data(), memory, bytes, api::cudart::device_to_host), "cudaMemcpy");
  check(runtime.api.cudaFree(memory), "cudaFree");
  require_digest(expected, host_digest(words.data(), words.size()), "a buffer of the CUDA Runtime");
  Row row;
  row.status = Status::pass;
  row.message = "CUDA Runtime " + cuda_version_text(version) + " sees " + std::to_string(count) + (count == 1 ? " GPU" : " GPUs");
  row.evidence = {{"path", runtime.library.path},
                  {"version", cuda_version_text(version)},
                  {"driver_version", cuda_version_text(driver_version)},
                  {"device_count", count}};
  return {row};
}

}  // namespace envgen::bench::tests
