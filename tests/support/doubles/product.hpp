#pragma once

#include "api/cublas.hpp"
#include "element.hpp"

namespace envgen::doubles {

/// A matrix as cuBLAS takes it: columns first, `leading` elements from one column to the next.
struct Matrix {
  const void* elements;
  bench::api::cublas::DataType type;
  int leading;
  bench::api::cublas::Operation operation;
};

bench::ElementFormat format_of(bench::api::cublas::DataType type);

/// C = op(A) op(B), summed up in double; for tf32 the elements are rounded to its 10 bits first.
void multiply(const Matrix& a, const Matrix& b, void* c, bench::api::cublas::DataType type_c, int leading_c, int m, int n, int k,
              bench::api::cublas::Compute compute);

/// Turns sign and exponent of the first element of a matrix around.
void spoil_first(void* matrix, bench::api::cublas::DataType type);

}  // namespace envgen::doubles
