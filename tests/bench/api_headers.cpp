// Compiled, never run: what bench/src/api declares is what the real headers declare. CMake adds each ENVGEN_HAVE_ for which it
// finds the header. Signatures are compared with every enumeration read as int and every struct as its bytes: that is what the
// calling convention sees of them.
#include <cstddef>

// The names without a version that cuda.h and nvml.h keep from sight.
#define __CUDA_API_VERSION_INTERNAL      // NOLINT
#define NVML_NO_UNVERSIONED_FUNC_DEFS 1  // NOLINT

#ifdef ENVGEN_HAVE_CUDA
#include <cuda.h>
#endif
#ifdef ENVGEN_HAVE_CUDART
#include <cuda_runtime_api.h>
#endif
#ifdef ENVGEN_HAVE_CUBLAS
#include <cublasLt.h>
#include <cublas_v2.h>
#endif
#ifdef ENVGEN_HAVE_NVML
#include <nvml.h>
#endif

#include "api/cublas.hpp"
#include "api/cuda_driver.hpp"
#include "api/cudart.hpp"
#include "api/nvml.hpp"
#include "api_same.hpp"

#ifdef ENVGEN_HAVE_CUBLAS
// cublasLt's handles to opaque structs have names of their own here: each is compared as a pointer.
template <>
struct envgen::bench::Plain<envgen::bench::api::cublas_lt::Description> {
  using type = void*;
};
template <>
struct envgen::bench::Plain<cublasLtMatmulDesc_t> {
  using type = void*;
};
template <>
struct envgen::bench::Plain<envgen::bench::api::cublas_lt::Layout> {
  using type = void*;
};
template <>
struct envgen::bench::Plain<cublasLtMatrixLayout_t> {
  using type = void*;
};
template <>
struct envgen::bench::Plain<envgen::bench::api::cublas_lt::Preference> {
  using type = void*;
};
template <>
struct envgen::bench::Plain<cublasLtMatmulPreference_t> {
  using type = void*;
};
#endif

namespace {

using envgen::bench::same;

#ifdef ENVGEN_HAVE_CUDA
namespace driver {
using namespace envgen::bench::api::cuda;
ENVGEN_CUDA_DRIVER_API(ENVGEN_SAME)
static_assert(sizeof(Uuid) == sizeof(CUuuid) && sizeof(IpcMemHandle) == sizeof(CUipcMemHandle));
static_assert(success == CUDA_SUCCESS && error_no_device == CUDA_ERROR_NO_DEVICE &&
              error_stub_library == CUDA_ERROR_STUB_LIBRARY);
static_assert(error_peer_access_already_enabled == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
static_assert(clock_rate == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
static_assert(multiprocessor_count == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(memory_clock_rate == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
static_assert(global_memory_bus_width == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
static_assert(l2_cache_size == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
static_assert(compute_capability_major == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(compute_capability_minor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(stream_non_blocking == CU_STREAM_NON_BLOCKING && event_default == CU_EVENT_DEFAULT);
static_assert(mem_host_alloc_portable == CU_MEMHOSTALLOC_PORTABLE);
static_assert(ipc_mem_lazy_enable_peer_access == CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
}  // namespace driver
#endif

#ifdef ENVGEN_HAVE_CUDART
namespace runtime {
using namespace envgen::bench::api::cudart;
ENVGEN_CUDART_API(ENVGEN_SAME)
static_assert(success == cudaSuccess && error_insufficient_driver == cudaErrorInsufficientDriver);
static_assert(host_to_device == cudaMemcpyHostToDevice && device_to_host == cudaMemcpyDeviceToHost);
}  // namespace runtime
#endif

#ifdef ENVGEN_HAVE_CUBLAS
namespace blas {
using namespace envgen::bench::api::cublas;
// CUDA 11 and 12 overload these two in C++ for their older enumerations: the new one is picked by its type.
using GemmEx = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*, const void*,
                                  cudaDataType, int, const void*, cudaDataType, int, const void*, void*, cudaDataType, int,
                                  cublasComputeType_t, cublasGemmAlgo_t);
using GemmStridedBatchedEx = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                                const void*, cudaDataType, int, long long, const void*, cudaDataType, int,
                                                long long, const void*, void*, cudaDataType, int, long long, int,
                                                cublasComputeType_t, cublasGemmAlgo_t);
static_assert(same<decltype(Table::cublasGemmEx), decltype(static_cast<GemmEx>(&::cublasGemmEx))>);
static_assert(same<decltype(Table::cublasGemmStridedBatchedEx),
                   decltype(static_cast<GemmStridedBatchedEx>(&::cublasGemmStridedBatchedEx))>);
static_assert(same<decltype(Table::cublasCreate_v2), decltype(&::cublasCreate_v2)>);
static_assert(same<decltype(Table::cublasGetProperty), decltype(&::cublasGetProperty)>);
static_assert(same<decltype(Table::cublasSetStream_v2), decltype(&::cublasSetStream_v2)>);
static_assert(success == CUBLAS_STATUS_SUCCESS && not_supported == CUBLAS_STATUS_NOT_SUPPORTED);
static_assert(no_transpose == CUBLAS_OP_N && transpose == CUBLAS_OP_T && gemm_default == CUBLAS_GEMM_DEFAULT);
static_assert(r_32f == CUDA_R_32F && r_16f == CUDA_R_16F && r_16bf == CUDA_R_16BF && r_8f_e4m3 == CUDA_R_8F_E4M3);
static_assert(compute_32f == CUBLAS_COMPUTE_32F && compute_32f_fast_tf32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(major_version == MAJOR_VERSION && minor_version == MINOR_VERSION && patch_level == PATCH_LEVEL);
}  // namespace blas

namespace blas_lt {
using namespace envgen::bench::api::cublas_lt;
ENVGEN_CUBLAS_LT_API(ENVGEN_SAME)
static_assert(sizeof(MatmulAlgorithm) == sizeof(cublasLtMatmulAlgo_t) &&
              sizeof(HeuristicResult) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(HeuristicResult, workspace_size) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(HeuristicResult, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(description_transpose_a == CUBLASLT_MATMUL_DESC_TRANSA);
static_assert(preference_max_workspace_bytes == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
}  // namespace blas_lt
#endif

#ifdef ENVGEN_HAVE_NVML
namespace management {
using namespace envgen::bench::api::nvml;
ENVGEN_NVML_API(ENVGEN_SAME)
static_assert(sizeof(Process) == sizeof(nvmlProcessInfo_v1_t));
static_assert(success == NVML_SUCCESS && insufficient_size == NVML_ERROR_INSUFFICIENT_SIZE);
static_assert(clock_sm == NVML_CLOCK_SM && clock_memory == NVML_CLOCK_MEM && temperature_gpu == NVML_TEMPERATURE_GPU);
static_assert(reason_gpu_idle == nvmlClocksThrottleReasonGpuIdle && reason_sw_power_cap == nvmlClocksThrottleReasonSwPowerCap);
static_assert(reason_applications_clocks == nvmlClocksThrottleReasonApplicationsClocksSetting);
static_assert(reason_hw_slowdown == nvmlClocksThrottleReasonHwSlowdown && reason_sync_boost == nvmlClocksThrottleReasonSyncBoost);
static_assert(reason_sw_thermal == nvmlClocksThrottleReasonSwThermalSlowdown);
static_assert(reason_hw_thermal == nvmlClocksThrottleReasonHwThermalSlowdown);
static_assert(reason_hw_power_brake == nvmlClocksThrottleReasonHwPowerBrakeSlowdown);
static_assert(reason_display_clocks == nvmlClocksThrottleReasonDisplayClockSetting);
}  // namespace management
#endif

}  // namespace
