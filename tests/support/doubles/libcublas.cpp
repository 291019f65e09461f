// A double of cuBLAS 12.4: plain loops over the heap memory of libcuda's double.
#include "api/cublas.hpp"
#include "faults.hpp"
#include "product.hpp"

ENVGEN_DOUBLE("libcublas");

using namespace envgen::bench::api::cublas;
using envgen::doubles::Matrix;
using envgen::doubles::multiply;

struct cublasContext {};

extern "C" {

Status cublasCreate_v2(Handle* handle) {
  ENVGEN_FAULT(cublasCreate_v2);
  *handle = new cublasContext;
  return success;
}
Status cublasGetProperty(Property property, int* value) {
  *value = property == major_version ? 12 : property == minor_version ? 4 : 5;
  return success;
}
Status cublasSetStream_v2(Handle, CUstream_st*) {
  ENVGEN_FAULT(cublasSetStream_v2);
  return success;
}
Status cublasGemmEx(Handle, Operation operation_a, Operation operation_b, int m, int n, int k, const void*, const void* a,
                    DataType type_a, int lda, const void* b, DataType type_b, int ldb, const void*, void* c, DataType type_c,
                    int ldc, Compute compute, Algorithm) {
  ENVGEN_FAULT(cublasGemmEx);
  multiply({a, type_a, lda, operation_a}, {b, type_b, ldb, operation_b}, c, type_c, ldc, m, n, k, compute);
  if (envgen::doubles::corrupts("cublasGemmEx")) envgen::doubles::spoil_first(c, type_c);
  return success;
}
Status cublasGemmStridedBatchedEx(Handle, Operation operation_a, Operation operation_b, int m, int n, int k, const void*,
                                  const void* a, DataType type_a, int lda, long long stride_a, const void* b, DataType type_b,
                                  int ldb, long long stride_b, const void*, void* c, DataType type_c, int ldc, long long stride_c,
                                  int batches, Compute compute, Algorithm) {
  ENVGEN_FAULT(cublasGemmStridedBatchedEx);
  for (int i = 0; i < batches; ++i) {
    const auto at = [&](const void* base, long long stride, DataType type) {
      return static_cast<const unsigned char*>(base) +
             static_cast<std::size_t>(i * stride) * envgen::doubles::format_of(type).bytes;
    };
    multiply({at(a, stride_a, type_a), type_a, lda, operation_a}, {at(b, stride_b, type_b), type_b, ldb, operation_b},
             const_cast<unsigned char*>(at(c, stride_c, type_c)), type_c, ldc, m, n, k, compute);
  }
  return success;
}

}  // extern "C"
