#pragma once

#include <string>

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

/// C = alpha op(A) op(B) + beta C with its type and the elements from one column to the next.
struct Result {
  void* elements;
  bench::api::cublas::DataType type;
  int leading;
  float alpha;
  float beta;
};
struct Shape {
  int m;
  int n;
  int k;
};

/// C = alpha op(A) op(B) + beta C, summed up in double; for tf32 the elements are rounded to its 10 bits first. Goes wrong as
/// `function` is told.
void multiply(const std::string& function, const Matrix& a, const Matrix& b, const Result& c, const Shape& shape,
              bench::api::cublas::Compute compute);

}  // namespace envgen::doubles
