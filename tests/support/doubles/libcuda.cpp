// A double of libcuda.so.1. It holds "device memory" in this process and runs our kernels' CPU counterparts by name. As on a GPU,
// what is queued on a stream is done when something waits for it, the oldest stream's first, and what belongs to one context is
// refused in another. What it cannot do, it does not export.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cuda_driver.hpp"
#include "faults.hpp"
#include "kernels.hpp"
#include "simulated.hpp"

ENVGEN_DOUBLE("libcuda");

extern "C" {
/// The GPU's clock where a test sets it; below 0 it is the machine's.
double envgen_double_seconds = -1;
/// Hears of each memset with its words, and of each kernel with its blocks, where a test wants to.
void (*envgen_double_heard)(const char* what, unsigned long long size) = nullptr;
}

struct CUmod_st {
  CUctx_st* context;
  std::string ptx;
};
struct CUfunc_st {
  CUctx_st* context;
  std::string name;
  envgen::doubles::CpuKernel kernel;
};

namespace {

using namespace envgen::bench::api::cuda;
using namespace envgen::doubles;

constexpr int most_devices = 16;
constexpr Result error_invalid_value = 1;
constexpr Result error_out_of_memory = 2;
constexpr Result error_not_initialized = 3;
constexpr Result error_invalid_context = 201;
constexpr Result error_invalid_handle = 400;
constexpr Result error_not_found = 500;
constexpr Result error_not_ready = 600;

bool initialised = false;

int devices() { return number_setting("ENVGEN_DOUBLE_DEVICES", 1); }

Context context_of(Device device) {
  static CUctx_st contexts[most_devices];
  contexts[device].device = device;
  return &contexts[device];
}

/// What a caller gets a pointer to, and never gives back.
template <class Thing>
Thing* owned(Thing thing) {
  static std::deque<Thing> all;
  return &all.emplace_back(std::move(thing));
}

double now() {
  if (envgen_double_seconds >= 0) return envgen_double_seconds;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void tell(const char* what, unsigned long long size) {
  if (envgen_double_heard != nullptr) envgen_double_heard(what, size);
}

bool is_current(Stream stream) { return stream != nullptr && stream->context == current; }

Result copy(const std::string& function, void* to, const void* from, std::size_t bytes) {
  // A digest on its way to the host stays whole, so that a test says what the digest is of.
  const bool may_spoil = bytes > sizeof(unsigned long long);
  constexpr unsigned slow_microseconds = 3000;
  if (may_spoil && told(function, "slow")) ::usleep(slow_microseconds);
  std::memcpy(to, from, may_spoil ? written_part(function, bytes) : bytes);
  if (may_spoil) spoil(function, to, bytes);
  return success;
}

std::vector<Memory>& pinned() {
  static std::vector<Memory> all;
  return all;
}

/// A copy from or to memory that is not pinned may be told by a name of its own what to do wrong.
std::string name_of(const std::string& function, const void* host) {
  const bool found = std::any_of(pinned().begin(), pinned().end(), [&](const Memory& memory) { return memory.address == host; });
  return !found && told_anything(function + ":pageable") ? function + ":pageable" : function;
}

/// What a kernel writes lies where its first argument points; 0 bytes: that is none of ours.
std::pair<void*, std::size_t> output_of(void** arguments) {
  DevicePointer memory = 0;
  std::memcpy(&memory, arguments[0], sizeof memory);
  const auto found = allocations().find(memory);
  if (found == allocations().end()) return {nullptr, 0};
  return {found->second.memory.address, found->second.memory.bytes};
}

void run_kernel(Function function, void** arguments, unsigned long long threads) {
  if (told(function->name, "skip")) return;
  const auto [output, bytes] = output_of(arguments);
  const auto done = written_part(function->name, bytes);
  const std::vector<unsigned char> before(static_cast<unsigned char*>(output) + done,
                                          static_cast<unsigned char*>(output) + bytes);
  function->kernel.run(arguments, threads);
  std::copy(before.begin(), before.end(), static_cast<unsigned char*>(output) + done);
  if (bytes > 0) spoil(function->name, output, bytes);
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
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
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
  initialised = true;
  return success;
}
Result cuDriverGetVersion(int* version) {
  *version = 1;  // what fails may have written
  ENVGEN_FAULT(cuDriverGetVersion);
  *version = number_setting("ENVGEN_DOUBLE_DRIVER", 13000);
  return success;
}
Result cuGetErrorName(Result code, const char** text) { return describe(code, text, &Error::name); }
Result cuGetErrorString(Result code, const char** text) { return describe(code, text, &Error::text); }
Result cuDeviceGetCount(int* count) {
  ENVGEN_FAULT(cuDeviceGetCount);
  if (!initialised) return error_not_initialized;
  *count = devices();
  return success;
}
Result cuDeviceGet(Device* device, int ordinal) {
  ENVGEN_FAULT(cuDeviceGet);
  if (!initialised) return error_not_initialized;
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
  int number = 0xf0 + device;
  for (auto& byte : uuid->bytes) byte = static_cast<char>(number++);
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
      *value = number_setting("ENVGEN_DOUBLE_L2", 1) << 20;
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
Result cuCtxSetCurrent(Context context) {
  ENVGEN_FAULT(cuCtxSetCurrent);
  current = context;
  return success;
}
Result cuCtxSynchronize() {
  ENVGEN_FAULT(cuCtxSynchronize);
  while (!all_done(current) && step(current)) {
  }
  return success;
}
Result cuCtxEnablePeerAccess(Context peer, unsigned) {
  ENVGEN_FAULT(cuCtxEnablePeerAccess);
  static std::set<std::pair<Context, Context>> enabled;
  return enabled.insert({current, peer}).second ? success : error_peer_access_already_enabled;
}
Result cuDeviceCanAccessPeer(int* can, Device device, Device peer) {
  ENVGEN_FAULT(cuDeviceCanAccessPeer);
  *can = device != peer ? number_setting("ENVGEN_DOUBLE_DIRECT", 1) : 0;
  return success;
}
Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  ENVGEN_FAULT(cuMemGetInfo_v2);
  *total = 8UL << 30;
  *free = static_cast<std::size_t>(number_setting("ENVGEN_DOUBLE_FREE", 8192)) << 20;
  return success;
}
Result cuMemAlloc_v2(DevicePointer* memory, std::size_t bytes) {
  ENVGEN_FAULT(cuMemAlloc_v2);
  if (current == nullptr) return error_invalid_context;
  return keep(memory, new_memory("device", bytes)) ? success : error_out_of_memory;
}
Result cuMemFree_v2(DevicePointer memory) {
  ENVGEN_FAULT(cuMemFree_v2);
  // A driver may wait here, or not: what is queued might use it still.
  if (!all_done(current)) return error_not_ready;
  return let_go(memory) ? success : error_invalid_value;
}
Result cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  ENVGEN_FAULT(cuMemHostAlloc);
  const auto made = new_memory("pinned", bytes);
  *memory = made.address;
  pinned().push_back(made);
  return made ? success : error_out_of_memory;
}
Result cuMemcpyHtoDAsync_v2(DevicePointer to, const void* from, std::size_t bytes, Stream stream) {
  ENVGEN_FAULT(cuMemcpyHtoDAsync_v2);
  if (!is_current(stream)) return error_invalid_handle;
  queue(stream, [=] { copy(name_of("cuMemcpyHtoDAsync_v2", from), address(to), from, bytes); });
  return success;
}
Result cuMemcpyDtoHAsync_v2(void* to, DevicePointer from, std::size_t bytes, Stream stream) {
  ENVGEN_FAULT(cuMemcpyDtoHAsync_v2);
  if (!is_current(stream)) return error_invalid_handle;
  queue(stream, [=] { copy(name_of("cuMemcpyDtoHAsync_v2", to), to, address(from), bytes); });
  return success;
}
Result cuMemcpyPeerAsync(DevicePointer to, Context to_context, DevicePointer from, Context from_context, std::size_t bytes,
                         Stream stream) {
  ENVGEN_FAULT(cuMemcpyPeerAsync);
  const auto owner = [](DevicePointer memory) {
    const auto found = allocations().find(memory);
    return found == allocations().end() ? nullptr : found->second.context;
  };
  if (owner(to) != to_context || owner(from) != from_context) return error_invalid_value;
  const std::string any = "cuMemcpyPeerAsync";
  const auto direction = any + ":" + std::to_string(from_context->device) + ">" + std::to_string(to_context->device);
  const auto function = told_anything(direction) ? direction : any;
  queue(stream, [=] { copy(function, address(to), misread(function, to_context, from, bytes), bytes); });
  return success;
}
Result cuMemsetD32Async(DevicePointer memory, unsigned word, std::size_t words, Stream stream) {
  ENVGEN_FAULT(cuMemsetD32Async);
  if (!is_current(stream)) return error_invalid_handle;
  tell("memset", words);
  queue(stream, [=] { std::fill_n(static_cast<unsigned*>(address(memory)), words, word); });
  return success;
}
Result cuModuleLoadData(Module* module, const void* image) {
  ENVGEN_FAULT(cuModuleLoadData);
  *module = owned(CUmod_st{current, static_cast<const char*>(image)});
  return success;
}
Result cuModuleGetFunction(Function* function, Module module, const char* name) {
  ENVGEN_FAULT(cuModuleGetFunction);
  const auto kernel = cpu_kernel(name);
  if (kernel.run == nullptr || module->ptx.find(".entry " + std::string(name) + "(") == std::string::npos) return error_not_found;
  *function = owned(CUfunc_st{module->context, name, kernel});
  return success;
}
Result cuLaunchKernel(Function function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned,
                      Stream stream, void** arguments, void**) {
  ENVGEN_FAULT(cuLaunchKernel);
  if (!is_current(stream) || function->context != current) return error_invalid_handle;
  tell(function->name.c_str(), blocks);
  // The arguments are taken as they are now.
  std::vector<std::vector<unsigned char>> values;
  for (std::size_t i = 0; i < function->kernel.arguments.size(); ++i) {
    const auto* value = static_cast<const unsigned char*>(arguments[i]);
    values.emplace_back(value, value + function->kernel.arguments[i]);
  }
  queue(stream, [=]() mutable {
    std::vector<void*> pointers;
    for (auto& value : values) pointers.push_back(value.data());
    run_kernel(function, pointers.data(), static_cast<unsigned long long>(blocks) * threads);
  });
  return success;
}
Result cuStreamCreate(Stream* stream, unsigned) {
  ENVGEN_FAULT(cuStreamCreate);
  *stream = owned(CUstream_st{current, {}});
  streams().push_back(*stream);
  return success;
}
Result cuStreamWaitEvent(Stream stream, Event event, unsigned) {
  ENVGEN_FAULT(cuStreamWaitEvent);
  stream->todo.push_back({nullptr, event, event->asked});
  return success;
}
Result cuEventCreate(Event* event, unsigned) {
  ENVGEN_FAULT(cuEventCreate);
  *event = owned(CUevent_st{current, 0, 0, 0});
  return success;
}
Result cuEventRecord(Event event, Stream stream) {
  ENVGEN_FAULT(cuEventRecord);
  if (event->context != stream->context) return error_invalid_handle;
  ++event->asked;
  queue(stream, [=] {
    event->seconds = now();
    ++event->recorded;
  });
  return success;
}
Result cuEventSynchronize(Event event) {
  ENVGEN_FAULT(cuEventSynchronize);
  while (event->recorded < event->asked && step(event->context)) {
  }
  return success;
}
Result cuEventElapsedTime(float* milliseconds, Event start, Event end) {
  ENVGEN_FAULT(cuEventElapsedTime);
  if (start->recorded < start->asked || end->recorded < end->asked) return error_not_ready;
  *milliseconds = static_cast<float>((end->seconds - start->seconds) * 1000);
  return success;
}
Result cuIpcGetMemHandle(IpcMemHandle* handle, DevicePointer memory) {
  ENVGEN_FAULT(cuIpcGetMemHandle);
  const auto found = allocations().find(memory);
  if (found == allocations().end()) return error_invalid_value;
  std::snprintf(handle->reserved, sizeof handle->reserved, "/proc/%d/fd/%d", ::getpid(), found->second.memory.descriptor);
  return success;
}
Result cuIpcOpenMemHandle_v2(DevicePointer* memory, IpcMemHandle handle, unsigned) {
  ENVGEN_FAULT(cuIpcOpenMemHandle_v2);
  const std::string function = "cuIpcOpenMemHandle_v2";
  const int descriptor = ::open(handle.reserved, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return error_invalid_value;
  const auto bytes = static_cast<std::size_t>(::lseek(descriptor, 0, SEEK_END));
  if (told(function, "other")) return keep(memory, new_memory("device", bytes)) ? success : error_out_of_memory;
  const auto opened = mapped(descriptor, bytes, told(function, "own"));
  if (opened) spoil(function, opened.address, bytes);
  return keep(memory, opened) ? success : error_out_of_memory;
}
Result cuIpcCloseMemHandle(DevicePointer memory) {
  ENVGEN_FAULT(cuIpcCloseMemHandle);
  return let_go(memory) ? success : error_invalid_value;
}

}  // extern "C"
