#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "api/bind.hpp"

// What is used of cuda.h (driver API), as every driver from R450 (CUDA 11.0) on exports it. Compared with the real headers by
// tests/bench/api_headers. The opaque types bear the header's own names, so that pointers to them are the same types.
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;

namespace envgen::bench::api::cuda {

using Result = int;  // CUresult
using Device = int;  // CUdevice
using Attribute = int;
using DevicePointer = unsigned long long;  // CUdeviceptr (v2)
using Context = CUctx_st*;
using Module = CUmod_st*;
using Function = CUfunc_st*;
using Stream = CUstream_st*;
using Event = CUevent_st*;

struct Uuid {  // CUuuid
  char bytes[16];
};
struct IpcMemHandle {  // CUipcMemHandle
  char reserved[64];
};

inline constexpr Result success = 0;
inline constexpr Result error_stub_library = 34;
inline constexpr Result error_no_device = 100;
inline constexpr Result error_peer_access_already_enabled = 704;

inline constexpr Attribute clock_rate = 13;  // kHz
inline constexpr Attribute multiprocessor_count = 16;
inline constexpr Attribute memory_clock_rate = 36;        // kHz
inline constexpr Attribute global_memory_bus_width = 37;  // bits
inline constexpr Attribute l2_cache_size = 38;            // bytes
inline constexpr Attribute compute_capability_major = 75;
inline constexpr Attribute compute_capability_minor = 76;

inline constexpr unsigned stream_non_blocking = 1;
inline constexpr unsigned event_default = 0;
inline constexpr unsigned mem_host_alloc_portable = 1;
inline constexpr unsigned ipc_mem_lazy_enable_peer_access = 1;

// cuEventElapsedTime is exported by every driver; CUDA 12.8 added a v2 that the headers of 13 prefer.
#define ENVGEN_CUDA_DRIVER_API(X)                                                                               \
  X(required, cuInit, Result, (unsigned))                                                                       \
  X(required, cuDriverGetVersion, Result, (int*))                                                               \
  X(required, cuGetErrorName, Result, (Result, const char**))                                                   \
  X(required, cuGetErrorString, Result, (Result, const char**))                                                 \
  X(required, cuDeviceGetCount, Result, (int*))                                                                 \
  X(required, cuDeviceGet, Result, (Device*, int))                                                              \
  X(required, cuDeviceGetName, Result, (char*, int, Device))                                                    \
  X(required, cuDeviceGetUuid, Result, (Uuid*, Device))                                                         \
  X(required, cuDeviceGetPCIBusId, Result, (char*, int, Device))                                                \
  X(required, cuDeviceTotalMem_v2, Result, (std::size_t*, Device))                                              \
  X(required, cuDeviceGetAttribute, Result, (int*, Attribute, Device))                                          \
  X(required, cuDevicePrimaryCtxRetain, Result, (Context*, Device))                                             \
  X(required, cuCtxSetCurrent, Result, (Context))                                                               \
  X(required, cuCtxSynchronize, Result, ())                                                                     \
  X(required, cuCtxEnablePeerAccess, Result, (Context, unsigned))                                               \
  X(required, cuDeviceCanAccessPeer, Result, (int*, Device, Device))                                            \
  X(required, cuMemGetInfo_v2, Result, (std::size_t*, std::size_t*))                                            \
  X(required, cuMemAlloc_v2, Result, (DevicePointer*, std::size_t))                                             \
  X(required, cuMemFree_v2, Result, (DevicePointer))                                                            \
  X(required, cuMemHostAlloc, Result, (void**, std::size_t, unsigned))                                          \
  X(required, cuMemcpyHtoDAsync_v2, Result, (DevicePointer, const void*, std::size_t, Stream))                  \
  X(required, cuMemcpyDtoHAsync_v2, Result, (void*, DevicePointer, std::size_t, Stream))                        \
  X(required, cuMemcpyPeerAsync, Result, (DevicePointer, Context, DevicePointer, Context, std::size_t, Stream)) \
  X(required, cuMemsetD32Async, Result, (DevicePointer, unsigned, std::size_t, Stream))                         \
  X(required, cuModuleLoadData, Result, (Module*, const void*))                                                 \
  X(required, cuModuleGetFunction, Result, (Function*, Module, const char*))                                    \
  X(required, cuLaunchKernel, Result,                                                                           \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void**, void**))   \
  X(required, cuStreamCreate, Result, (Stream*, unsigned))                                                      \
  X(required, cuStreamWaitEvent, Result, (Stream, Event, unsigned))                                             \
  X(required, cuEventCreate, Result, (Event*, unsigned))                                                        \
  X(required, cuEventRecord, Result, (Event, Stream))                                                           \
  X(required, cuEventSynchronize, Result, (Event))                                                              \
  X(required, cuEventElapsedTime, Result, (float*, Event, Event))                                               \
  X(required, cuIpcGetMemHandle, Result, (IpcMemHandle*, DevicePointer))                                        \
  X(required, cuIpcOpenMemHandle_v2, Result, (DevicePointer*, IpcMemHandle, unsigned))                          \
  X(required, cuIpcCloseMemHandle, Result, (DevicePointer))

struct Table {
  ENVGEN_CUDA_DRIVER_API(ENVGEN_API_MEMBER)
};

inline std::vector<std::string> bind(void* library, Table& table) {
  std::vector<std::string> missing;
  ENVGEN_CUDA_DRIVER_API(ENVGEN_API_BIND)
  return missing;
}

}  // namespace envgen::bench::api::cuda
