// A double of the CUDA Runtime 12.4: memory of this process.
#include <cstring>
#include <map>
#include <string>

#include "api/cudart.hpp"
#include "faults.hpp"
#include "memory.hpp"

ENVGEN_DOUBLE("libcudart");

using namespace envgen::bench::api::cudart;
using envgen::doubles::number_setting;

namespace {

int current = 0;

std::map<void*, envgen::doubles::Memory>& memories() {
  static std::map<void*, envgen::doubles::Memory> all;
  return all;
}

}  // namespace

extern "C" {

Result cudaGetDeviceCount(int* count) {
  ENVGEN_FAULT(cudaGetDeviceCount);
  *count = number_setting("ENVGEN_DOUBLE_DEVICES", 1);
  return success;
}
Result cudaDriverGetVersion(int* version) {
  *version = number_setting("ENVGEN_DOUBLE_DRIVER", 13000);
  return success;
}
Result cudaRuntimeGetVersion(int* version) {
  ENVGEN_FAULT(cudaRuntimeGetVersion);
  *version = 12040;
  return success;
}
const char* cudaGetErrorName(Result result) {
  return result == error_insufficient_driver ? "cudaErrorInsufficientDriver" : "cudaErrorUnknown";
}
const char* cudaGetErrorString(Result result) {
  return result == error_insufficient_driver ? "CUDA driver version is insufficient for CUDA runtime version" : "unknown error";
}
Result cudaSetDevice(int device) {
  ENVGEN_FAULT(cudaSetDevice);
  current = device;
  return success;
}
Result cudaMalloc(void** memory, std::size_t bytes) {
  ENVGEN_FAULT(cudaMalloc);
  if (const auto fault = envgen::doubles::fault_of(("cudaMalloc:" + std::to_string(current)).c_str())) return *fault;
  const auto made = envgen::doubles::new_memory("runtime", bytes);
  memories()[made.address] = made;
  *memory = made.address;
  return success;
}
Result cudaFree(void* memory) {
  ENVGEN_FAULT(cudaFree);
  envgen::doubles::release(memories()[memory]);
  return success;
}
Result cudaMemset(void* memory, int byte, std::size_t bytes) {
  ENVGEN_FAULT(cudaMemset);
  std::memset(memory, byte, bytes);
  return success;
}
Result cudaMemcpy(void* to, const void* from, std::size_t bytes, CopyKind kind) {
  ENVGEN_FAULT(cudaMemcpy);
  const std::string function = kind == host_to_device ? "cudaMemcpy:in" : "cudaMemcpy:out";
  std::memcpy(to, from, envgen::doubles::written_part(function, bytes));
  envgen::doubles::spoil(function, to, bytes);
  return success;
}

}  // extern "C"
