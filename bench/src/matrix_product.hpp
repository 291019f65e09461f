#pragma once

#include <string>
#include <vector>

#include "api/cublas.hpp"
#include "element.hpp"
#include "image_libraries.hpp"
#include "reference.hpp"
#include "session.hpp"
#include "tolerance.hpp"

namespace envgen::bench {

/// One way to multiply: what the elements are, and how cuBLAS is told to.
struct Precision {
  std::string name;  ///< fp32, tf32, fp16, bf16, fp8
  ElementFormat in;
  ElementFormat out;
  api::cublas::DataType in_type;
  api::cublas::DataType out_type;
  api::cublas::Compute compute;
  Rounding rounding;
  int least_capability;  ///< 80 for 8.0
  bool by_lt;            ///< cublasGemmEx knows no fp8
  std::optional<Metric> metric;
};

const Precision& precision(const std::string& name);

/// cuBLAS at work on a session's stream. Throws TestFailed, or TestSkipped where the library says "not supported".
class Multiplier {
 public:
  Multiplier(const Session& session, const Blas& blas);

  struct Shape {
    int m = 0;
    int n = 0;
    int k = 0;
    bool transpose_a = false;
    bool transpose_b = false;
    int batches = 1;  ///< products side by side, each with matrices of its own, one after the other in memory
  };

  /// Queues C = A B by cublasGemmEx, columns first, with no gaps between columns.
  void multiply(const Precision& precision, const Shape& shape, api::cuda::DevicePointer a, api::cuda::DevicePointer b,
                api::cuda::DevicePointer c) const;

 private:
  void check(api::cublas::Status status, const char* call) const;

  const Blas& blas_;
  api::cublas::Handle handle_ = nullptr;
};

/// The same by cublasLt: A is taken transposed, the only form that fp8 has there. One shape, prepared once and queued many times.
class LtProduct {
 public:
  /// Throws TestSkipped where cublasLt offers no way to do it here.
  LtProduct(const Session& session, const Blas& blas, const Precision& precision, int n);
  void multiply(api::cuda::DevicePointer a, api::cuda::DevicePointer b, api::cuda::DevicePointer c) const;

 private:
  const Session& session_;
  const Blas& blas_;
  api::cublas_lt::Handle handle_ = nullptr;
  api::cublas_lt::Description description_ = nullptr;
  api::cublas_lt::Layout in_ = nullptr;
  api::cublas_lt::Layout out_ = nullptr;
  api::cublas_lt::HeuristicResult way_{};
  api::cuda::DevicePointer workspace_ = 0;
};

/// Queues the making of a matrix of `count` elements of the table, the sequence `seed`.
void make_matrix(const Session& session, const ElementTable& table, api::cuda::DevicePointer matrix, std::size_t count,
                 unsigned seed);

}  // namespace envgen::bench
