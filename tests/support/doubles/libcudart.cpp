// A double of the CUDA Runtime 12.4: memory of the heap.
#include <cstdlib>
#include <cstring>

#include "api/cudart.hpp"
#include "faults.hpp"

ENVGEN_DOUBLE("libcudart");

using namespace envgen::bench::api::cudart;
using envgen::doubles::number_setting;

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
Result cudaSetDevice(int) {
  ENVGEN_FAULT(cudaSetDevice);
  return success;
}
Result cudaMalloc(void** memory, std::size_t bytes) {
  ENVGEN_FAULT(cudaMalloc);
  *memory = std::malloc(bytes);
  return success;
}
Result cudaFree(void* memory) {
  ENVGEN_FAULT(cudaFree);
  std::free(memory);
  return success;
}
Result cudaMemset(void* memory, int byte, std::size_t bytes) {
  ENVGEN_FAULT(cudaMemset);
  std::memset(memory, byte, bytes);
  return success;
}
Result cudaMemcpy(void* to, const void* from, std::size_t bytes, CopyKind kind) {
  ENVGEN_FAULT(cudaMemcpy);
  std::memcpy(to, from, bytes);
  if (kind == device_to_host && envgen::doubles::corrupts("cudaMemcpy")) static_cast<unsigned char*>(to)[bytes / 2] ^= 1U;
  return success;
}

}  // extern "C"
