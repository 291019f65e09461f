#include "session.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <string_view>

#include "embedded_ptx.hpp"
#include "failure.hpp"
#include "generator.hpp"

namespace envgen::bench {
namespace {

constexpr unsigned threads_in_block = 256;

/// The kernels, and whether one takes element after element (any number of threads serves) or one a thread.
struct Kernel {
  const char* name;
  bool loops;
};
constexpr std::array<Kernel, 9> kernels{{{"generate_words", true},
                                         {"digest_words", true},
                                         {"choose_8", true},
                                         {"choose_16", true},
                                         {"choose_32", true},
                                         {"copy_16", false},
                                         {"scale_vector", false},
                                         {"compare_product", false},
                                         {"spin", false}}};

/// To ask a module for a kernel that it lacks is an API error, which compute-sanitizer reports.
bool defines(std::string_view ptx, const Kernel& kernel) {
  return ptx.find(std::string(".entry ") + kernel.name + "(") != ptx.npos;
}

bool loops(std::string_view name) {
  return std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& kernel) { return name == kernel.name && kernel.loops; });
}

}  // namespace

Session::Session(const Driver& driver, int ordinal) : driver_(driver), device_(device_facts(driver, ordinal)) {
  api::cuda::Device device = 0;
  driver_.check(driver_.api.cuDeviceGet(&device, ordinal), "cuDeviceGet");
  driver_.check(driver_.api.cuDevicePrimaryCtxRetain(&context_, device), "cuDevicePrimaryCtxRetain");
  make_current();
  stream_ = new_stream();
  load_kernels();
}

void Session::make_current() const { driver_.check(driver_.api.cuCtxSetCurrent(context_), "cuCtxSetCurrent"); }

void Session::synchronize() const { driver_.check(driver_.api.cuCtxSynchronize(), "cuCtxSynchronize"); }

api::cuda::Stream Session::new_stream() const {
  api::cuda::Stream stream = nullptr;
  driver_.check(driver_.api.cuStreamCreate(&stream, api::cuda::stream_non_blocking), "cuStreamCreate");
  return stream;
}

api::cuda::Event Session::new_event() const {
  api::cuda::Event event = nullptr;
  driver_.check(driver_.api.cuEventCreate(&event, api::cuda::event_default), "cuEventCreate");
  return event;
}

double Session::seconds_between(api::cuda::Event start, api::cuda::Event end) const {
  float milliseconds = 0;
  driver_.check(driver_.api.cuEventElapsedTime(&milliseconds, start, end), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) / 1000;
}

api::cuda::DevicePointer Session::allocate(std::size_t bytes) const {
  api::cuda::DevicePointer memory = 0;
  driver_.check(driver_.api.cuMemAlloc_v2(&memory, bytes), "cuMemAlloc");
  return memory;
}

void Session::free(api::cuda::DevicePointer memory) const { driver_.check(driver_.api.cuMemFree_v2(memory), "cuMemFree"); }

void* Session::allocate_pinned(std::size_t bytes) const {
  void* memory = nullptr;
  driver_.check(driver_.api.cuMemHostAlloc(&memory, bytes, api::cuda::mem_host_alloc_portable), "cuMemHostAlloc");
  return memory;
}

std::size_t Session::free_bytes() const {
  std::size_t free = 0;
  std::size_t total = 0;
  driver_.check(driver_.api.cuMemGetInfo_v2(&free, &total), "cuMemGetInfo");
  return free;
}

void Session::fill(api::cuda::DevicePointer memory, unsigned word, std::size_t words) const {
  driver_.check(driver_.api.cuMemsetD32Async(memory, word, words, stream_), "cuMemsetD32Async");
}

void Session::to_device(api::cuda::DevicePointer to, const void* from, std::size_t bytes) const {
  driver_.check(driver_.api.cuMemcpyHtoDAsync_v2(to, from, bytes, stream_), "cuMemcpyHtoDAsync");
}

void Session::to_host(void* to, api::cuda::DevicePointer from, std::size_t bytes) const {
  driver_.check(driver_.api.cuMemcpyDtoHAsync_v2(to, from, bytes, stream_), "cuMemcpyDtoHAsync");
}

void Session::load_kernels() {
  for (const char* ptx : embedded_ptx) {
    api::cuda::Module module = nullptr;
    driver_.check(driver_.api.cuModuleLoadData(&module, ptx), "cuModuleLoadData");
    for (const auto& kernel : kernels) {
      if (!defines(ptx, kernel)) continue;
      driver_.check(driver_.api.cuModuleGetFunction(&kernels_[kernel.name], module, kernel.name), "cuModuleGetFunction");
    }
  }
}

void Session::launch_with(std::string_view name, std::size_t threads, void** arguments) const {
  std::size_t blocks = (threads + threads_in_block - 1) / threads_in_block;
  // A kernel that loops fills the device and no more; one block beyond the limit of a grid cannot be asked for.
  constexpr std::size_t blocks_for_each_multiprocessor = 32;
  const auto most = loops(name) ? static_cast<std::size_t>(device_.multiprocessors) * blocks_for_each_multiprocessor
                                : std::size_t{std::numeric_limits<int>::max()};
  blocks = std::clamp(blocks, std::size_t{1}, most);
  driver_.check(driver_.api.cuLaunchKernel(kernels_.find(name)->second, static_cast<unsigned>(blocks), 1, 1,
                                           static_cast<unsigned>(std::min(threads, std::size_t{threads_in_block})), 1, 1, 0,
                                           stream_, arguments, nullptr),
                "cuLaunchKernel");
}

void Session::generate(api::cuda::DevicePointer words, std::size_t count, unsigned seed) const {
  launch("generate_words", count, words, static_cast<unsigned long long>(count), seed);
}

unsigned long long Session::digest(api::cuda::DevicePointer words, std::size_t count) const {
  const auto sum = allocate(sizeof(unsigned long long));
  fill(sum, 0, 2);
  launch("digest_words", count, words, static_cast<unsigned long long>(count), sum);
  unsigned long long result = 0;
  to_host(&result, sum, sizeof result);
  synchronize();
  free(sum);
  return result;
}

unsigned long long expected_digest(unsigned seed, std::size_t count) {
  unsigned long long sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += digest_part(generated_word(seed, i), i);
  return sum;
}

unsigned long long host_digest(const unsigned* words, std::size_t count) {
  unsigned long long sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += digest_part(words[i], i);
  return sum;
}

void require_digest(unsigned long long expected, unsigned long long found, const std::string& what) {
  if (expected == found) return;
  std::array<char, 80> digests{};
  std::snprintf(digests.data(), digests.size(), " (digest %016llx, expected %016llx)", found, expected);
  Failure failure;
  failure.message = what + " does not contain what was written" + digests.data();
  throw TestFailed(failure);
}

}  // namespace envgen::bench
