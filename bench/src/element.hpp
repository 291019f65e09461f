#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace envgen::bench {

/// A binary floating-point format of at most 32 bits.
struct ElementFormat {
  int exponent_bits;
  int mantissa_bits;
  std::size_t bytes;
};
inline constexpr ElementFormat format_fp32{8, 23, 4};
inline constexpr ElementFormat format_fp16{5, 10, 2};
inline constexpr ElementFormat format_bf16{8, 7, 2};
inline constexpr ElementFormat format_e4m3{4, 3, 1};  ///< OCP FP8: no infinities, which this code never makes

/// The bits of the nearest value of the format, ties to even, for a finite value within its range.
std::uint32_t encoded(double value, ElementFormat format);
/// The value of those bits; NaN and infinity of the IEEE formats too.
double decoded(std::uint32_t bits, ElementFormat format);

/// 256 elements spread over -1 to 1, none the same in fp32: what random matrices are made of (kernel choose_N).
struct ElementTable {
  ElementFormat format;
  std::array<std::uint32_t, 256> bits;
  std::array<double, 256> values;

  /// As the kernels read it: `format.bytes` an element, little endian.
  std::vector<unsigned char> packed() const;
};
ElementTable element_table(ElementFormat format);

/// The element at `index` of the matrix that `seed` begins.
double element_value(const ElementTable& table, unsigned seed, unsigned long long index);

}  // namespace envgen::bench
