// A double of cuBLAS 12.4: plain loops over the memory of libcuda's double, when its stream comes to it.
#include "api/cublas.hpp"
#include "faults.hpp"
#include "product.hpp"
#include "streams.hpp"

ENVGEN_DOUBLE("libcublas");

using namespace envgen::bench::api::cublas;
using namespace envgen::doubles;

struct cublasContext {
  CUstream_st* stream = nullptr;
};

extern "C" {

Status cublasCreate_v2(Handle* handle) {
  ENVGEN_FAULT(cublasCreate_v2);
  *handle = new cublasContext;
  return success;
}
Status cublasGetProperty(Property property, int* value) {
  ENVGEN_FAULT(cublasGetProperty);
  *value = property == major_version ? 12 : property == minor_version ? 4 : 5;
  return success;
}
Status cublasSetStream_v2(Handle handle, CUstream_st* stream) {
  ENVGEN_FAULT(cublasSetStream_v2);
  handle->stream = stream;
  return success;
}
Status cublasGemmEx(Handle handle, Operation operation_a, Operation operation_b, int m, int n, int k, const void* alpha,
                    const void* a, DataType type_a, int lda, const void* b, DataType type_b, int ldb, const void* beta, void* c,
                    DataType type_c, int ldc, Compute compute, Algorithm) {
  ENVGEN_FAULT(cublasGemmEx);
  queue(handle->stream, [=, by = *static_cast<const float*>(alpha), and_by = *static_cast<const float*>(beta)] {
    const std::string any = "cublasGemmEx";
    const auto transposed = any + (operation_a == transpose ? ":a" : operation_b == transpose ? ":b" : "");
    multiply(told_anything(transposed) ? transposed : any, {a, type_a, lda, operation_a}, {b, type_b, ldb, operation_b},
             {c, type_c, ldc, by, and_by}, {m, n, k}, compute);
  });
  return success;
}
Status cublasGemmStridedBatchedEx(Handle handle, Operation operation_a, Operation operation_b, int m, int n, int k,
                                  const void* alpha, const void* a, DataType type_a, int lda, long long stride_a, const void* b,
                                  DataType type_b, int ldb, long long stride_b, const void* beta, void* c, DataType type_c,
                                  int ldc, long long stride_c, int batches, Compute compute, Algorithm) {
  ENVGEN_FAULT(cublasGemmStridedBatchedEx);
  queue(handle->stream, [=, by = *static_cast<const float*>(alpha), and_by = *static_cast<const float*>(beta)] {
    for (int i = 0; i < batches; ++i) {
      const auto at = [&](const void* base, long long stride, DataType type) {
        return static_cast<const unsigned char*>(base) + static_cast<std::size_t>(i * stride) * format_of(type).bytes;
      };
      // Only the last goes wrong.
      multiply(i + 1 == batches ? "cublasGemmStridedBatchedEx" : "", {at(a, stride_a, type_a), type_a, lda, operation_a},
               {at(b, stride_b, type_b), type_b, ldb, operation_b},
               {const_cast<unsigned char*>(at(c, stride_c, type_c)), type_c, ldc, by, and_by}, {m, n, k}, compute);
    }
  });
  return success;
}

}  // extern "C"
