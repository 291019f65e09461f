#pragma once

#include "generator.hpp"

// What the kernel compare_product is told and what it says: the same for the kernel, the program and the double of libcuda.
namespace envgen::bench {

inline constexpr int tile_side = 32;
inline constexpr unsigned long long no_element = ~0ULL;

/// How the elements of a result lie in memory.
enum ResultFormat : int { result_fp32, result_fp16, result_bf16 };

/// C = op(A) op(B), columns first with no gaps, `batches` of them one after the other. A and B are never read: their elements are
/// made again from their seeds, so that what went wrong with them in memory is seen too.
struct ProductCheck {
  unsigned long long found;  ///< where C lies
  unsigned long long table;  ///< 256 doubles: what the elements of A and B can be
  unsigned long long tiles;  ///< a ProductTile for each tile
  double relative;           ///< right is |found - expected| <= relative |expected| + slack
  double slack;
  double most;  ///< what no element can exceed, where it is not compared
  int m;
  int n;
  int k;
  int batches;
  int transpose_a;
  int transpose_b;
  unsigned seed_a;
  unsigned seed_b;
  unsigned format;           ///< ResultFormat
  unsigned stride;           ///< every so many tiles one is compared, and the last; 1: all are
  unsigned long long first;  ///< the tile of the launch's first block
};

/// What came of one tile.
struct ProductTile {
  double error_squares;
  double expected_squares;
  double signed_sum;  ///< of what was expected, each element times the signs of its row and its column
  unsigned long long seen;
  unsigned long long compared;
  unsigned long long wrong;
  unsigned long long first_wrong;  ///< its place in C; no_element: none is
};

ENVGEN_ON_BOTH constexpr int tiles_along(int elements) { return (elements + tile_side - 1) / tile_side; }

ENVGEN_ON_BOTH constexpr unsigned long long tiles_of(const ProductCheck& check) {
  return static_cast<unsigned long long>(tiles_along(check.m)) * static_cast<unsigned long long>(tiles_along(check.n)) *
         static_cast<unsigned long long>(check.batches);
}

ENVGEN_ON_BOTH constexpr bool is_compared(const ProductCheck& check, unsigned long long tile) {
  return tile % check.stride == 0 || tile + 1 == tiles_of(check);
}

/// Where an element lies in its matrix of `rows` by `columns`, counted from the first of all batches.
ENVGEN_ON_BOTH constexpr unsigned long long place_in(int batch, int row, int column, int rows, int columns) {
  return (static_cast<unsigned long long>(batch) * static_cast<unsigned long long>(columns) +
          static_cast<unsigned long long>(column)) *
             static_cast<unsigned long long>(rows) +
         static_cast<unsigned long long>(row);
}
/// op(A) at (i, x) and op(B) at (x, j).
ENVGEN_ON_BOTH constexpr unsigned long long place_in_a(const ProductCheck& check, int batch, int i, int x) {
  return check.transpose_a != 0 ? place_in(batch, x, i, check.k, check.m) : place_in(batch, i, x, check.m, check.k);
}
ENVGEN_ON_BOTH constexpr unsigned long long place_in_b(const ProductCheck& check, int batch, int x, int j) {
  return check.transpose_b != 0 ? place_in(batch, j, x, check.n, check.k) : place_in(batch, x, j, check.k, check.n);
}

/// One of 1 and -1 for a row or a column.
ENVGEN_ON_BOTH constexpr double sign_of(unsigned seed, unsigned long long index) {
  return (generated_word(seed, index) & 1U) != 0 ? -1.0 : 1.0;
}
inline constexpr unsigned row_signs = 20'273;
inline constexpr unsigned column_signs = 20'274;

/// The value of a result's bits.
ENVGEN_ON_BOTH constexpr float widened(unsigned bits, unsigned format) {
  if (format == result_fp32) return __builtin_bit_cast(float, bits);
  if (format == result_bf16) return __builtin_bit_cast(float, bits << 16U);
  const unsigned sign = (bits & 0x8000U) << 16U;
  const unsigned exponent = (bits >> 10U) & 0x1fU;
  const unsigned fraction = bits & 0x3ffU;
  if (exponent == 0) {  // below the smallest normal number: whole steps of 2^-24
    const float size = static_cast<float>(fraction) * (1.0F / 16777216.0F);
    return sign != 0 ? -size : size;
  }
  const unsigned widened_exponent = exponent == 0x1fU ? 0xffU : exponent + 127U - 15U;
  return __builtin_bit_cast(float, sign | (widened_exponent << 23U) | (fraction << 13U));
}

}  // namespace envgen::bench
