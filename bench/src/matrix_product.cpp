#include "matrix_product.hpp"

#include <algorithm>

#include "failure.hpp"

namespace envgen::bench {
namespace {

namespace cublas = api::cublas;
namespace cublas_lt = api::cublas_lt;

constexpr std::size_t lt_workspace_bytes = 32U << 20;

constexpr Rounding plain_fp32{0, unit_fp32, 1};
constexpr Rounding by_tf32{unit_tf32, unit_tensor_cores, 1};
constexpr Rounding by_tensor_cores{0, unit_tensor_cores, 1};
constexpr Rounding by_fp8{0, unit_fp8_sums, fp8_products};

const std::vector<Precision>& precisions() {
  static const std::vector<Precision> all{
      {"fp32", format_fp32, format_fp32, cublas::r_32f, cublas::r_32f, cublas::compute_32f, plain_fp32, 0, false,
       Metric::gemm_fp32},
      {"tf32", format_fp32, format_fp32, cublas::r_32f, cublas::r_32f, cublas::compute_32f_fast_tf32, by_tf32, 80, false,
       Metric::gemm_tf32},
      {"fp16", format_fp16, format_fp16, cublas::r_16f, cublas::r_16f, cublas::compute_32f, by_tensor_cores, 50, false,
       Metric::gemm_fp16},
      {"bf16", format_bf16, format_bf16, cublas::r_16bf, cublas::r_16bf, cublas::compute_32f, by_tensor_cores, 80, false,
       Metric::gemm_bf16},
      {"fp8", format_e4m3, format_bf16, cublas::r_8f_e4m3, cublas::r_16bf, cublas::compute_32f, by_fp8, 89, true, std::nullopt},
  };
  return all;
}

void check_status(cublas::Status status, const char* call) {
  if (status == cublas::success) return;
  const auto text = std::string(call) + ": cuBLAS status " + std::to_string(status);
  if (status == cublas::not_supported) throw TestSkipped(text + " (not supported here)");
  Failure failure;
  failure.message = text;
  failure.code = status;
  failure.call = call;
  throw TestFailed(failure);
}

/// cuBLAS takes device addresses as pointers.
void* pointer(api::cuda::DevicePointer memory) { return reinterpret_cast<void*>(memory); }

}  // namespace

const Precision& precision(const std::string& name) {
  const auto& all = precisions();
  return *std::find_if(all.begin(), all.end(), [&](const Precision& each) { return each.name == name; });
}

Multiplier::Multiplier(const Session& session, const Blas& blas) : blas_(blas) {
  check(blas_.api.cublasCreate_v2(&handle_), "cublasCreate");
  check(blas_.api.cublasSetStream_v2(handle_, session.stream()), "cublasSetStream");
}

void Multiplier::check(cublas::Status status, const char* call) const { check_status(status, call); }

void Multiplier::multiply(const Precision& precision, const Shape& shape, api::cuda::DevicePointer a, api::cuda::DevicePointer b,
                          api::cuda::DevicePointer c) const {
  const float one = 1;
  const float zero = 0;
  const int rows_a = shape.transpose_a ? shape.k : shape.m;
  const int rows_b = shape.transpose_b ? shape.n : shape.k;
  const auto operation_a = shape.transpose_a ? cublas::transpose : cublas::no_transpose;
  const auto operation_b = shape.transpose_b ? cublas::transpose : cublas::no_transpose;
  if (shape.batches == 1) {
    return check(blas_.api.cublasGemmEx(handle_, operation_a, operation_b, shape.m, shape.n, shape.k, &one, pointer(a),
                                        precision.in_type, rows_a, pointer(b), precision.in_type, rows_b, &zero, pointer(c),
                                        precision.out_type, shape.m, precision.compute, cublas::gemm_default),
                 "cublasGemmEx");
  }
  const auto area = [](int x, int y) { return static_cast<long long>(x) * y; };
  check(blas_.api.cublasGemmStridedBatchedEx(handle_, operation_a, operation_b, shape.m, shape.n, shape.k, &one, pointer(a),
                                             precision.in_type, rows_a, area(shape.m, shape.k), pointer(b), precision.in_type,
                                             rows_b, area(shape.k, shape.n), &zero, pointer(c), precision.out_type, shape.m,
                                             area(shape.m, shape.n), shape.batches, precision.compute, cublas::gemm_default),
        "cublasGemmStridedBatchedEx");
}

LtProduct::LtProduct(const Session& session, const Blas& blas, const Precision& precision, int n)
    : session_(session), blas_(blas) {
  const auto& lt = blas_.lt;
  check_status(lt.cublasLtCreate(&handle_), "cublasLtCreate");
  check_status(lt.cublasLtMatmulDescCreate(&description_, precision.compute, cublas::r_32f), "cublasLtMatmulDescCreate");
  const cublas::Operation transposed = cublas::transpose;
  check_status(
      lt.cublasLtMatmulDescSetAttribute(description_, cublas_lt::description_transpose_a, &transposed, sizeof transposed),
      "cublasLtMatmulDescSetAttribute");
  const auto size = static_cast<std::uint64_t>(n);
  check_status(lt.cublasLtMatrixLayoutCreate(&in_, precision.in_type, size, size, n), "cublasLtMatrixLayoutCreate");
  check_status(lt.cublasLtMatrixLayoutCreate(&out_, precision.out_type, size, size, n), "cublasLtMatrixLayoutCreate");
  cublas_lt::Preference preference = nullptr;
  check_status(lt.cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  check_status(lt.cublasLtMatmulPreferenceSetAttribute(preference, cublas_lt::preference_max_workspace_bytes, &lt_workspace_bytes,
                                                       sizeof lt_workspace_bytes),
               "cublasLtMatmulPreferenceSetAttribute");
  int found = 0;
  check_status(lt.cublasLtMatmulAlgoGetHeuristic(handle_, description_, in_, in_, out_, out_, preference, 1, &way_, &found),
               "cublasLtMatmulAlgoGetHeuristic");
  check_status(lt.cublasLtMatmulPreferenceDestroy(preference), "cublasLtMatmulPreferenceDestroy");
  if (found == 0) throw TestSkipped("cublasLt has no algorithm for " + precision.name + " here");
  workspace_ = session_.allocate(lt_workspace_bytes);
}

void LtProduct::multiply(api::cuda::DevicePointer a, api::cuda::DevicePointer b, api::cuda::DevicePointer c) const {
  const float one = 1;
  const float zero = 0;
  check_status(
      blas_.lt.cublasLtMatmul(handle_, description_, &one, pointer(a), in_, pointer(b), in_, &zero, pointer(c), out_, pointer(c),
                              out_, &way_.algorithm, pointer(workspace_), lt_workspace_bytes, session_.stream()),
      "cublasLtMatmul");
}

void make_matrix(const Session& session, const ElementTable& table, api::cuda::DevicePointer matrix, std::size_t count,
                 unsigned seed) {
  const auto packed = table.packed();
  const auto device_table = session.allocate(packed.size());
  session.to_device(device_table, packed.data(), packed.size());
  const char* kernel = table.format.bytes == 1 ? "choose_8" : table.format.bytes == 2 ? "choose_16" : "choose_32";
  session.launch(kernel, count, matrix, static_cast<unsigned long long>(count), seed, device_table);
  session.synchronize();  // the table goes
  session.free(device_table);
}

}  // namespace envgen::bench
