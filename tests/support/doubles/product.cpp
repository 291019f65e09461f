#include "product.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "faults.hpp"

namespace envgen::doubles {
namespace {

namespace cublas = bench::api::cublas;

constexpr int bits_of_tf32 = 10;

double rounded(double value, int bits) {
  const bench::ElementFormat format{8, bits, 4};
  return bench::decoded(bench::encoded(value, format), format);
}

/// op(matrix) as doubles, row after row, with so many bits after the point as are `kept`.
std::vector<double> values_of(const Matrix& matrix, int rows, int columns, std::optional<int> kept) {
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
      values.push_back(kept ? rounded(value, *kept) : value);
    }
  }
  return values;
}

unsigned char* element(const Result& c, int row, int column) {
  const auto place = static_cast<std::size_t>(column) * static_cast<std::size_t>(c.leading) + static_cast<std::size_t>(row);
  return static_cast<unsigned char*>(c.elements) + place * format_of(c.type).bytes;
}

/// What a healthy multiplication would not leave.
void spoil(const std::string& function, const Result& c, const Shape& shape) {
  const auto bytes = format_of(c.type).bytes;
  if (told(function, "corrupt")) element(c, 0, 0)[bytes - 1] ^= 0xffU;  // its sign and exponent
  if (const auto units = told_number(function, "ulps-")) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, element(c, shape.m - 1, shape.n - 1), bytes);
    bits += static_cast<std::uint32_t>(*units);
    std::memcpy(element(c, shape.m - 1, shape.n - 1), &bits, bytes);
  }
  if (!told(function, "nan")) return;
  constexpr int side = 8;
  for (int column = std::max(shape.n - side, 0); column < shape.n; ++column) {
    for (int row = std::max(shape.m - side, 0); row < shape.m; ++row) std::memset(element(c, row, column), 0xff, bytes);
  }
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

void multiply(const std::string& function, const Matrix& a, const Matrix& b, const Result& c, const Shape& shape,
              cublas::Compute compute) {
  if (told(function, "skip")) return;
  auto bits = told_number(function, "bits-");
  if (!bits && compute == cublas::compute_32f_fast_tf32) bits = bits_of_tf32;
  const auto sum_bits = told_number(function, "sums-");
  const auto left = values_of(a, shape.m, shape.k, bits);
  const auto right = values_of(b, shape.k, shape.n, bits);
  const auto format = format_of(c.type);
  const auto columns = static_cast<int>(written_part(function, static_cast<std::size_t>(shape.n)));
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < shape.m; ++i) {
      double sum = 0;
      for (int x = 0; x < shape.k; ++x) {
        sum += left[static_cast<std::size_t>(i) * static_cast<std::size_t>(shape.k) + static_cast<std::size_t>(x)] *
               right[static_cast<std::size_t>(x) * static_cast<std::size_t>(shape.n) + static_cast<std::size_t>(j)];
        if (sum_bits) sum = rounded(sum, *sum_bits);
      }
      sum *= c.alpha;
      if (c.beta != 0) {  // else what lies in C is not read
        std::uint32_t before = 0;
        std::memcpy(&before, element(c, i, j), format.bytes);
        sum += c.beta * bench::decoded(before, format);
      }
      const auto result = bench::encoded(sum, format);
      std::memcpy(element(c, i, j), &result, format.bytes);
    }
  }
  spoil(function, c, shape);
}

}  // namespace envgen::doubles
