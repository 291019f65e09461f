#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "api/bind.hpp"

// What is used of cuda_runtime_api.h, the same in CUDA 11, 12 and 13. Compared with the real headers by tests/bench/api_headers.
namespace envgen::bench::api::cudart {

using Result = int;    // cudaError_t
using CopyKind = int;  // cudaMemcpyKind

inline constexpr Result success = 0;
inline constexpr Result error_insufficient_driver = 35;
inline constexpr CopyKind host_to_device = 1;
inline constexpr CopyKind device_to_host = 2;

#define ENVGEN_CUDART_API(X)                                 \
  X(required, cudaGetDeviceCount, Result, (int*))            \
  X(required, cudaDriverGetVersion, Result, (int*))          \
  X(required, cudaRuntimeGetVersion, Result, (int*))         \
  X(required, cudaGetErrorName, const char*, (Result))       \
  X(required, cudaGetErrorString, const char*, (Result))     \
  X(required, cudaSetDevice, Result, (int))                  \
  X(required, cudaMalloc, Result, (void**, std::size_t))     \
  X(required, cudaFree, Result, (void*))                     \
  X(required, cudaMemset, Result, (void*, int, std::size_t)) \
  X(required, cudaMemcpy, Result, (void*, const void*, std::size_t, CopyKind))

struct Table {
  ENVGEN_CUDART_API(ENVGEN_API_MEMBER)
};

inline std::vector<std::string> bind(void* library, Table& table) {
  std::vector<std::string> missing;
  ENVGEN_CUDART_API(ENVGEN_API_BIND)
  return missing;
}

}  // namespace envgen::bench::api::cudart
