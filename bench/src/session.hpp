#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "context.hpp"
#include "device_facts.hpp"
#include "driver.hpp"
#include "nvml.hpp"

namespace envgen::bench {

/// One GPU in use: its primary context (the one that the CUDA Runtime and cuBLAS use too), a stream, and our kernels.
/// Everything here throws TestFailed. Nothing is given back: the process is a test's own and ends with it.
class Session {
 public:
  Session(const Driver& driver, int ordinal);

  const Driver& driver() const { return driver_; }
  const DeviceFacts& device() const { return device_; }
  api::cuda::Context context() const { return context_; }
  api::cuda::Stream stream() const { return stream_; }

  /// Makes this GPU the current one of the thread; needed only where a test uses several.
  void make_current() const;
  void synchronize() const;
  api::cuda::Stream new_stream() const;
  api::cuda::Event new_event() const;
  /// Milliseconds between two recorded events, in seconds.
  double seconds_between(api::cuda::Event start, api::cuda::Event end) const;

  api::cuda::DevicePointer allocate(std::size_t bytes) const;
  void free(api::cuda::DevicePointer memory) const;
  void* allocate_pinned(std::size_t bytes) const;
  std::size_t free_bytes() const;
  void fill(api::cuda::DevicePointer memory, unsigned word, std::size_t words) const;
  void to_device(api::cuda::DevicePointer to, const void* from, std::size_t bytes) const;
  void to_host(void* to, api::cuda::DevicePointer from, std::size_t bytes) const;

  /// Queues the kernel `name` with one thread for each of `threads`, or as many as the GPU holds for a kernel that goes on to the
  /// next element by itself (`loops`).
  template <class... Arguments>
  void launch(std::string_view name, std::size_t threads, Arguments... arguments) const {
    void* pointers[] = {static_cast<void*>(&arguments)...};
    launch_with(name, threads, pointers);
  }

  /// Queues the making of `count` words of the sequence `seed`.
  void generate(api::cuda::DevicePointer words, std::size_t count, unsigned seed) const;
  /// The digest of `count` words (generator.hpp), computed on the GPU.
  unsigned long long digest(api::cuda::DevicePointer words, std::size_t count) const;

 private:
  void load_kernels();
  void launch_with(std::string_view name, std::size_t threads, void** arguments) const;

  const Driver& driver_;
  DeviceFacts device_;
  api::cuda::Context context_ = nullptr;
  api::cuda::Stream stream_ = nullptr;
  std::map<std::string, api::cuda::Function, std::less<>> kernels_;
};

/// The digest of the sequence `seed`, computed on the CPU.
unsigned long long expected_digest(unsigned seed, std::size_t count);
/// The digest of words in the host's memory.
unsigned long long host_digest(const unsigned* words, std::size_t count);

/// Throws TestFailed that says which of two digests is wrong, and where.
void require_digest(unsigned long long expected, unsigned long long found, const std::string& what);

}  // namespace envgen::bench
