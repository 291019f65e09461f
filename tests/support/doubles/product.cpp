#include "product.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace envgen::doubles {
namespace {

namespace cublas = bench::api::cublas;

constexpr bench::ElementFormat format_tf32{8, 10, 4};

/// op(matrix) as doubles, row after row.
std::vector<double> values_of(const Matrix& matrix, int rows, int columns, bool tf32) {
  const auto format = format_of(matrix.type);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const auto row = static_cast<std::size_t>(matrix.operation == cublas::transpose ? j : i);
      const auto column = static_cast<std::size_t>(matrix.operation == cublas::transpose ? i : j);
      const auto place = (column * static_cast<std::size_t>(matrix.leading) + row) * format.bytes;
      std::uint32_t bits = 0;
      std::memcpy(&bits, static_cast<const unsigned char*>(matrix.elements) + place, format.bytes);
      const double value = bench::decoded(bits, format);
      values.push_back(tf32 ? bench::decoded(bench::encoded(value, format_tf32), format_tf32) : value);
    }
  }
  return values;
}

}  // namespace

bench::ElementFormat format_of(cublas::DataType type) {
  switch (type) {
    case cublas::r_16f:
      return bench::format_fp16;
    case cublas::r_16bf:
      return bench::format_bf16;
    case cublas::r_8f_e4m3:
      return bench::format_e4m3;
    default:
      return bench::format_fp32;
  }
}

void multiply(const Matrix& a, const Matrix& b, void* c, cublas::DataType type_c, int leading_c, int m, int n, int k,
              cublas::Compute compute) {
  const bool tf32 = compute == cublas::compute_32f_fast_tf32;
  const auto left = values_of(a, m, k, tf32);
  const auto right = values_of(b, k, n, tf32);
  const auto format = format_of(type_c);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int x = 0; x < k; ++x) {
        sum += left[static_cast<std::size_t>(i) * static_cast<std::size_t>(k) + static_cast<std::size_t>(x)] *
               right[static_cast<std::size_t>(x) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)];
      }
      const auto bits = bench::encoded(sum, format);
      const auto place =
          (static_cast<std::size_t>(j) * static_cast<std::size_t>(leading_c) + static_cast<std::size_t>(i)) * format.bytes;
      std::memcpy(static_cast<unsigned char*>(c) + place, &bits, format.bytes);
    }
  }
}

void spoil_first(void* matrix, cublas::DataType type) { static_cast<unsigned char*>(matrix)[format_of(type).bytes - 1] ^= 0xffU; }

}  // namespace envgen::doubles
