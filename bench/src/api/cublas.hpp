#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/bind.hpp"

// What is used of cublas_v2.h and cublasLt.h, the same in CUDA 11, 12 and 13. Compared with the real headers by
// tests/bench/api_headers.
struct cublasContext;
struct cublasLtContext;
struct CUstream_st;

namespace envgen::bench::api::cublas {

using Status = int;     // cublasStatus_t
using Operation = int;  // cublasOperation_t
using DataType = int;   // cudaDataType_t
using Compute = int;    // cublasComputeType_t
using Algorithm = int;  // cublasGemmAlgo_t
using Property = int;   // libraryPropertyType
using Handle = cublasContext*;

inline constexpr Status success = 0;
inline constexpr Status not_supported = 15;
inline constexpr Operation no_transpose = 0;
inline constexpr Operation transpose = 1;
inline constexpr DataType r_32f = 0;
inline constexpr DataType r_16f = 2;
inline constexpr DataType r_16bf = 14;
inline constexpr DataType r_8f_e4m3 = 28;
inline constexpr Compute compute_32f = 68;
inline constexpr Compute compute_32f_fast_tf32 = 77;
inline constexpr Algorithm gemm_default = -1;
inline constexpr Property major_version = 0;
inline constexpr Property minor_version = 1;
inline constexpr Property patch_level = 2;

#define ENVGEN_CUBLAS_API(X)                                                                                                 \
  X(required, cublasCreate_v2, Status, (Handle*))                                                                            \
  X(required, cublasGetProperty, Status, (Property, int*))                                                                   \
  X(required, cublasSetStream_v2, Status, (Handle, CUstream_st*))                                                            \
  X(required, cublasGemmEx, Status,                                                                                          \
    (Handle, Operation, Operation, int, int, int, const void*, const void*, DataType, int, const void*, DataType, int,       \
     const void*, void*, DataType, int, Compute, Algorithm))                                                                 \
  X(required, cublasGemmStridedBatchedEx, Status,                                                                            \
    (Handle, Operation, Operation, int, int, int, const void*, const void*, DataType, int, long long, const void*, DataType, \
     int, long long, const void*, void*, DataType, int, long long, int, Compute, Algorithm))

struct Table {
  ENVGEN_CUBLAS_API(ENVGEN_API_MEMBER)
};

inline std::vector<std::string> bind(void* library, Table& table) {
  std::vector<std::string> missing;
  ENVGEN_CUBLAS_API(ENVGEN_API_BIND)
  return missing;
}

}  // namespace envgen::bench::api::cublas

namespace envgen::bench::api::cublas_lt {

using cublas::Compute;
using cublas::DataType;
using cublas::Status;
using Handle = cublasLtContext*;
using Attribute = int;

using Description = struct cublasLtMatmulDesc*;       // a pointer of the size of cublasLtMatmulDesc_t
using Layout = struct cublasLtMatrixLayout*;          // of cublasLtMatrixLayout_t
using Preference = struct cublasLtMatmulPreference*;  // of cublasLtMatmulPreference_t

struct MatmulAlgorithm {  // cublasLtMatmulAlgo_t
  std::uint64_t data[8];
};
struct HeuristicResult {  // cublasLtMatmulHeuristicResult_t
  MatmulAlgorithm algorithm;
  std::size_t workspace_size;
  Status state;
  float waves_count;
  int reserved[4];
};

inline constexpr Attribute description_transpose_a = 3;
inline constexpr Attribute preference_max_workspace_bytes = 1;

#define ENVGEN_CUBLAS_LT_API(X)                                                                                           \
  X(required, cublasLtGetVersion, std::size_t, ())                                                                        \
  X(required, cublasLtCreate, Status, (Handle*))                                                                          \
  X(required, cublasLtMatmulDescCreate, Status, (Description*, Compute, DataType))                                        \
  X(required, cublasLtMatmulDescSetAttribute, Status, (Description, Attribute, const void*, std::size_t))                 \
  X(required, cublasLtMatrixLayoutCreate, Status, (Layout*, DataType, std::uint64_t, std::uint64_t, std::int64_t))        \
  X(required, cublasLtMatmulPreferenceCreate, Status, (Preference*))                                                      \
  X(required, cublasLtMatmulPreferenceDestroy, Status, (Preference))                                                      \
  X(required, cublasLtMatmulPreferenceSetAttribute, Status, (Preference, Attribute, const void*, std::size_t))            \
  X(required, cublasLtMatmulAlgoGetHeuristic, Status,                                                                     \
    (Handle, Description, Layout, Layout, Layout, Layout, Preference, int, HeuristicResult*, int*))                       \
  X(required, cublasLtMatmul, Status,                                                                                     \
    (Handle, Description, const void*, const void*, Layout, const void*, Layout, const void*, const void*, Layout, void*, \
     Layout, const MatmulAlgorithm*, void*, std::size_t, CUstream_st*))

struct Table {
  ENVGEN_CUBLAS_LT_API(ENVGEN_API_MEMBER)
};

inline std::vector<std::string> bind(void* library, Table& table) {
  std::vector<std::string> missing;
  ENVGEN_CUBLAS_LT_API(ENVGEN_API_BIND)
  return missing;
}

}  // namespace envgen::bench::api::cublas_lt
