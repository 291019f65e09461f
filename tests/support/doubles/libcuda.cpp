// A double of libcuda.so.1. It holds "device memory" in this process, does every operation at once, and runs our kernels' CPU
// counterparts by name. What it cannot do, it does not export.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "api/cuda_driver.hpp"
#include "faults.hpp"
#include "kernels.hpp"

ENVGEN_DOUBLE("libcuda");

struct CUctx_st {
  int device;
};
struct CUmod_st {
  std::string ptx;
};
struct CUfunc_st {
  std::string name;
  envgen::doubles::CpuKernel kernel;
};
struct CUstream_st {};
struct CUevent_st {
  std::chrono::steady_clock::time_point recorded;
};

namespace {

using namespace envgen::bench::api::cuda;
using namespace envgen::doubles;

constexpr int most_devices = 16;
constexpr Result error_invalid_value = 1;
constexpr Result error_out_of_memory = 2;
constexpr Result error_not_found = 500;

int devices() { return number_setting("ENVGEN_DOUBLE_DEVICES", 1); }

Context context_of(Device device) {
  static CUctx_st contexts[most_devices];
  contexts[device].device = device;
  return &contexts[device];
}

struct Memory {
  int descriptor;
  std::size_t bytes;
};
std::map<DevicePointer, Memory>& memories() {
  static std::map<DevicePointer, Memory> all;
  return all;
}

/// Memory of a file without a name, so that another process can open it by this one's number (CUDA IPC).
Result map_memory(DevicePointer* memory, int descriptor, std::size_t bytes) {
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) return error_out_of_memory;
  *memory = reinterpret_cast<DevicePointer>(address);
  memories()[*memory] = {descriptor, bytes};
  return success;
}

void* address(DevicePointer memory) { return reinterpret_cast<void*>(memory); }

void spoil(void* memory, std::size_t bytes) { static_cast<unsigned char*>(memory)[bytes / 2] ^= 1U; }

Result copy(const char* function, void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  // A digest on its way to the host stays whole, so that a test says what the digest is of.
  if (corrupts(function) && bytes > sizeof(unsigned long long)) spoil(to, bytes);
  return success;
}

/// What a kernel writes lies where its first argument points.
void spoil_output(void** arguments) {
  DevicePointer memory = 0;
  std::memcpy(&memory, arguments[0], sizeof memory);
  if (const auto found = memories().find(memory); found != memories().end()) spoil(address(memory), found->second.bytes);
}

/// Names and texts as the driver's own (CUDA Driver API, CUresult).
struct Error {
  Result code;
  const char* name;
  const char* text;
};
constexpr Error errors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {34, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"},
    {802, "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
    {804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward compatibility was attempted on non supported HW"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

Result describe(Result code, const char** text, const char* Error::*member) {
  for (const auto& error : errors) {
    if (error.code != code) continue;
    *text = error.*member;
    return success;
  }
  *text = nullptr;
  return error_invalid_value;
}

}  // namespace

extern "C" {

Result cuInit(unsigned) {
  ENVGEN_FAULT(cuInit);
  return success;
}
Result cuDriverGetVersion(int* version) {
  ENVGEN_FAULT(cuDriverGetVersion);
  *version = number_setting("ENVGEN_DOUBLE_DRIVER", 13000);
  return success;
}
Result cuGetErrorName(Result code, const char** text) { return describe(code, text, &Error::name); }
Result cuGetErrorString(Result code, const char** text) { return describe(code, text, &Error::text); }
Result cuDeviceGetCount(int* count) {
  ENVGEN_FAULT(cuDeviceGetCount);
  *count = devices();
  return success;
}
Result cuDeviceGet(Device* device, int ordinal) {
  ENVGEN_FAULT(cuDeviceGet);
  *device = ordinal;
  return ordinal < devices() ? success : error_invalid_value;
}
Result cuDeviceGetName(char* name, int size, Device) {
  ENVGEN_FAULT(cuDeviceGetName);
  std::snprintf(name, static_cast<std::size_t>(size), "%s", text_setting("ENVGEN_DOUBLE_NAME", "Simulated GPU").c_str());
  return success;
}
Result cuDeviceGetUuid(Uuid* uuid, Device device) {
  ENVGEN_FAULT(cuDeviceGetUuid);
  for (auto& byte : uuid->bytes) byte = static_cast<char>(device);
  return success;
}
Result cuDeviceGetPCIBusId(char* id, int size, Device device) {
  ENVGEN_FAULT(cuDeviceGetPCIBusId);
  std::snprintf(id, static_cast<std::size_t>(size), "0000:%02x:00.0", static_cast<unsigned>(device + 1));
  return success;
}
Result cuDeviceTotalMem_v2(std::size_t* bytes, Device) {
  ENVGEN_FAULT(cuDeviceTotalMem_v2);
  *bytes = 8UL << 30;
  return success;
}
Result cuDeviceGetAttribute(int* value, Attribute attribute, Device) {
  ENVGEN_FAULT(cuDeviceGetAttribute);
  const auto capability = text_setting("ENVGEN_DOUBLE_CAPABILITY", "9.0");
  switch (attribute) {
    case clock_rate:
      *value = 1'000'000;
      break;
    case multiprocessor_count:
      *value = 2;
      break;
    case memory_clock_rate:
      *value = 1'000;
      break;
    case global_memory_bus_width:
      *value = 64;
      break;
    case l2_cache_size:
      *value = 1 << 20;
      break;
    case compute_capability_major:
      *value = std::atoi(capability.c_str());
      break;
    case compute_capability_minor:
      *value = std::atoi(capability.c_str() + capability.find('.') + 1);
      break;
    default:
      return error_invalid_value;
  }
  return success;
}
Result cuDevicePrimaryCtxRetain(Context* context, Device device) {
  ENVGEN_FAULT(cuDevicePrimaryCtxRetain);
  *context = context_of(device);
  return success;
}
Result cuCtxSetCurrent(Context) {
  ENVGEN_FAULT(cuCtxSetCurrent);
  return success;
}
Result cuCtxSynchronize() {
  ENVGEN_FAULT(cuCtxSynchronize);
  return success;
}
Result cuCtxEnablePeerAccess(Context peer, unsigned) {
  ENVGEN_FAULT(cuCtxEnablePeerAccess);
  static std::set<Context> enabled;
  return enabled.insert(peer).second ? success : error_peer_access_already_enabled;
}
Result cuDeviceCanAccessPeer(int* can, Device device, Device peer) {
  ENVGEN_FAULT(cuDeviceCanAccessPeer);
  *can = device != peer ? 1 : 0;
  return success;
}
Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  ENVGEN_FAULT(cuMemGetInfo_v2);
  *free = *total = 8UL << 30;
  return success;
}
Result cuMemAlloc_v2(DevicePointer* memory, std::size_t bytes) {
  ENVGEN_FAULT(cuMemAlloc_v2);
  const int descriptor = ::memfd_create("double", MFD_CLOEXEC);
  if (descriptor < 0 || ::ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) return error_out_of_memory;
  return map_memory(memory, descriptor, bytes);
}
Result cuMemFree_v2(DevicePointer memory) {
  ENVGEN_FAULT(cuMemFree_v2);
  const auto found = memories().find(memory);
  if (found == memories().end()) return error_invalid_value;
  ::munmap(address(memory), found->second.bytes);
  ::close(found->second.descriptor);
  memories().erase(found);
  return success;
}
Result cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  ENVGEN_FAULT(cuMemHostAlloc);
  *memory = std::malloc(bytes);
  return *memory != nullptr ? success : error_out_of_memory;
}
Result cuMemcpyHtoDAsync_v2(DevicePointer to, const void* from, std::size_t bytes, Stream) {
  ENVGEN_FAULT(cuMemcpyHtoDAsync_v2);
  return copy("cuMemcpyHtoDAsync_v2", address(to), from, bytes);
}
Result cuMemcpyDtoHAsync_v2(void* to, DevicePointer from, std::size_t bytes, Stream) {
  ENVGEN_FAULT(cuMemcpyDtoHAsync_v2);
  return copy("cuMemcpyDtoHAsync_v2", to, address(from), bytes);
}
Result cuMemcpyPeerAsync(DevicePointer to, Context, DevicePointer from, Context, std::size_t bytes, Stream) {
  ENVGEN_FAULT(cuMemcpyPeerAsync);
  return copy("cuMemcpyPeerAsync", address(to), address(from), bytes);
}
Result cuMemsetD32Async(DevicePointer memory, unsigned word, std::size_t words, Stream) {
  ENVGEN_FAULT(cuMemsetD32Async);
  auto* to = static_cast<unsigned*>(address(memory));
  for (std::size_t i = 0; i < words; ++i) to[i] = word;
  return success;
}
Result cuModuleLoadData(Module* module, const void* image) {
  ENVGEN_FAULT(cuModuleLoadData);
  *module = new CUmod_st{static_cast<const char*>(image)};
  return success;
}
Result cuModuleGetFunction(Function* function, Module module, const char* name) {
  ENVGEN_FAULT(cuModuleGetFunction);
  const auto kernel = cpu_kernel(name);
  if (kernel == nullptr || module->ptx.find(".entry " + std::string(name) + "(") == std::string::npos) return error_not_found;
  *function = new CUfunc_st{name, kernel};
  return success;
}
Result cuLaunchKernel(Function function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned,
                      Stream, void** arguments, void**) {
  ENVGEN_FAULT(cuLaunchKernel);
  function->kernel(arguments, static_cast<unsigned long long>(blocks) * threads);
  if (corrupts(function->name.c_str())) spoil_output(arguments);
  return success;
}
Result cuStreamCreate(Stream* stream, unsigned) {
  ENVGEN_FAULT(cuStreamCreate);
  *stream = new CUstream_st;
  return success;
}
Result cuStreamWaitEvent(Stream, Event, unsigned) {
  ENVGEN_FAULT(cuStreamWaitEvent);
  return success;
}
Result cuEventCreate(Event* event, unsigned) {
  ENVGEN_FAULT(cuEventCreate);
  *event = new CUevent_st{};
  return success;
}
Result cuEventRecord(Event event, Stream) {
  ENVGEN_FAULT(cuEventRecord);
  event->recorded = std::chrono::steady_clock::now();
  return success;
}
Result cuEventSynchronize(Event) {
  ENVGEN_FAULT(cuEventSynchronize);
  return success;
}
Result cuEventElapsedTime(float* milliseconds, Event start, Event end) {
  ENVGEN_FAULT(cuEventElapsedTime);
  *milliseconds = std::chrono::duration<float, std::milli>(end->recorded - start->recorded).count();
  return success;
}
Result cuIpcGetMemHandle(IpcMemHandle* handle, DevicePointer memory) {
  ENVGEN_FAULT(cuIpcGetMemHandle);
  const auto found = memories().find(memory);
  if (found == memories().end()) return error_invalid_value;
  std::snprintf(handle->reserved, sizeof handle->reserved, "/proc/%d/fd/%d", ::getpid(), found->second.descriptor);
  return success;
}
Result cuIpcOpenMemHandle_v2(DevicePointer* memory, IpcMemHandle handle, unsigned) {
  ENVGEN_FAULT(cuIpcOpenMemHandle_v2);
  const int descriptor = ::open(handle.reserved, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return error_invalid_value;
  return map_memory(memory, descriptor, static_cast<std::size_t>(::lseek(descriptor, 0, SEEK_END)));
}
Result cuIpcCloseMemHandle(DevicePointer memory) {
  ENVGEN_FAULT(cuIpcCloseMemHandle);
  return cuMemFree_v2(memory);
}

}  // extern "C"
