// A double of cublasLt 12.4.
#include "api/cublas.hpp"
#include "faults.hpp"
#include "product.hpp"

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
  *found = 1;
  return cublas::success;
}
Status cublasLtMatmul(Handle, Description description, const void*, const void* a, Layout layout_a, const void* b,
                      Layout layout_b, const void*, const void*, Layout, void* d, Layout layout_d, const MatmulAlgorithm*, void*,
                      std::size_t, CUstream_st*) {
  ENVGEN_FAULT(cublasLtMatmul);
  const auto& how = of(description);
  const auto& out = of(layout_d);
  const int k = how.a == cublas::transpose ? of(layout_a).rows : of(layout_a).columns;
  envgen::doubles::multiply({a, of(layout_a).type, of(layout_a).leading, how.a},
                            {b, of(layout_b).type, of(layout_b).leading, cublas::no_transpose}, d, out.type, out.leading,
                            out.rows, out.columns, k, how.compute);
  if (envgen::doubles::corrupts("cublasLtMatmul")) envgen::doubles::spoil_first(d, out.type);
  return cublas::success;
}

}  // extern "C"
