// A double of cublasLt 12.4.
#include "api/cublas.hpp"
#include "faults.hpp"
#include "product.hpp"
#include "streams.hpp"

ENVGEN_DOUBLE("libcublasLt");

using namespace envgen::bench::api::cublas_lt;
namespace cublas = envgen::bench::api::cublas;

struct cublasLtContext {};

namespace {

struct Described {
  Compute compute;
  cublas::Operation a = cublas::no_transpose;
};
struct LaidOut {
  DataType type;
  int rows;
  int columns;
  int leading;
};
Described& of(Description description) { return *reinterpret_cast<Described*>(description); }
LaidOut& of(Layout layout) { return *reinterpret_cast<LaidOut*>(layout); }

}  // namespace

extern "C" {

std::size_t cublasLtGetVersion() { return 120405; }
Status cublasLtCreate(Handle* handle) {
  ENVGEN_FAULT(cublasLtCreate);
  *handle = new cublasLtContext;
  return cublas::success;
}
Status cublasLtMatmulDescCreate(Description* description, Compute compute, DataType) {
  *description = reinterpret_cast<Description>(new Described{compute});
  return cublas::success;
}
Status cublasLtMatmulDescSetAttribute(Description description, Attribute attribute, const void* value, std::size_t) {
  if (attribute == description_transpose_a) of(description).a = *static_cast<const cublas::Operation*>(value);
  return cublas::success;
}
Status cublasLtMatrixLayoutCreate(Layout* layout, DataType type, std::uint64_t rows, std::uint64_t columns,
                                  std::int64_t leading) {
  *layout =
      reinterpret_cast<Layout>(new LaidOut{type, static_cast<int>(rows), static_cast<int>(columns), static_cast<int>(leading)});
  return cublas::success;
}
Status cublasLtMatmulPreferenceCreate(Preference* preference) {
  *preference = nullptr;
  return cublas::success;
}
Status cublasLtMatmulPreferenceDestroy(Preference) { return cublas::success; }
Status cublasLtMatmulPreferenceSetAttribute(Preference, Attribute, const void*, std::size_t) { return cublas::success; }
Status cublasLtMatmulAlgoGetHeuristic(Handle, Description, Layout, Layout, Layout, Layout, Preference, int, HeuristicResult*,
                                      int* found) {
  ENVGEN_FAULT(cublasLtMatmulAlgoGetHeuristic);
  *found = envgen::doubles::told("cublasLtMatmulAlgoGetHeuristic", "none") ? 0 : 1;
  return cublas::success;
}
Status cublasLtMatmul(Handle, Description description, const void* alpha, const void* a, Layout layout_a, const void* b,
                      Layout layout_b, const void* beta, const void*, Layout, void* d, Layout layout_d, const MatmulAlgorithm*,
                      void*, std::size_t, CUstream_st* stream) {
  ENVGEN_FAULT(cublasLtMatmul);
  const auto& how = of(description);
  const auto& in_a = of(layout_a);
  const auto& in_b = of(layout_b);
  const auto& out = of(layout_d);
  const int k = how.a == cublas::transpose ? in_a.rows : in_a.columns;
  envgen::doubles::queue(stream, [=, operation = how.a, compute = how.compute, by = *static_cast<const float*>(alpha),
                                  and_by = *static_cast<const float*>(beta)] {
    envgen::doubles::multiply("cublasLtMatmul", {a, in_a.type, in_a.leading, operation},
                              {b, in_b.type, in_b.leading, cublas::no_transpose}, {d, out.type, out.leading, by, and_by},
                              {out.rows, out.columns, k}, compute);
  });
  return cublas::success;
}

}  // extern "C"
