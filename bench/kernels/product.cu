// A product of matrices held against float64, element by element. A block makes one tile; it takes what lies in memory from
// nobody but the library under test.
#include "device.hpp"
#include "product_check.hpp"

namespace {

using envgen::bench::ProductCheck;
using envgen::bench::ProductTile;
using envgen::bench::tile_side;

constexpr int threads_in_block = 256;
constexpr int columns_at_once = threads_in_block / tile_side;
constexpr int columns_of_thread = tile_side / columns_at_once;

ENVGEN_DEVICE float element_of(const ProductCheck& check, Index place) {
  if (check.format == envgen::bench::result_fp32) {
    return envgen::bench::widened(reinterpret_cast<const unsigned*>(check.found)[place], check.format);
  }
  return envgen::bench::widened(reinterpret_cast<const unsigned short*>(check.found)[place], check.format);
}

ENVGEN_DEVICE double made(const double* table, unsigned seed, Index place) {
  return table[envgen::bench::generated_word(seed, place) & 255U];
}

/// One element of the tile: held against what is expected, or only looked at.
ENVGEN_DEVICE void judge(const ProductCheck& check, ProductTile& tile, Index place, double expected, double sign, bool compared) {
  const double found = element_of(check, place);
  // Written so that what is not a number is wrong.
  bool right = __builtin_fabs(found) <= check.most;
  if (compared) {
    const double error = found - expected;
    right = __builtin_fabs(error) <= check.relative * __builtin_fabs(expected) + check.slack;
    tile.error_squares += error * error;
    tile.expected_squares += expected * expected;
    tile.signed_sum += sign * expected;
    tile.compared += 1;
  }
  tile.seen += 1;
  if (right) return;
  tile.wrong += 1;
  if (place < tile.first_wrong) tile.first_wrong = place;
}

ENVGEN_DEVICE void add(ProductTile& sum, const ProductTile& part) {
  sum.error_squares += part.error_squares;
  sum.expected_squares += part.expected_squares;
  sum.signed_sum += part.signed_sum;
  sum.seen += part.seen;
  sum.compared += part.compared;
  sum.wrong += part.wrong;
  if (part.first_wrong < sum.first_wrong) sum.first_wrong = part.first_wrong;
}

}  // namespace

ENVGEN_KERNEL compare_product(ProductCheck check) {
  ENVGEN_SHARED double table[256];
  ENVGEN_SHARED double a[tile_side][tile_side];
  ENVGEN_SHARED double b[tile_side][tile_side];
  ENVGEN_SHARED ProductTile parts[threads_in_block];
  const Index number = check.first + block_index();
  const int thread = thread_in_block();
  const int rows = envgen::bench::tiles_along(check.m);
  const int columns = envgen::bench::tiles_along(check.n);
  const int batch = static_cast<int>(number / (static_cast<Index>(rows) * static_cast<Index>(columns)));
  const int in_batch = static_cast<int>(number % (static_cast<Index>(rows) * static_cast<Index>(columns)));
  const int row = thread % tile_side;
  const int column = thread / tile_side;
  const int i = in_batch % rows * tile_side + row;
  const int first_j = in_batch / rows * tile_side + column;
  const bool compared = envgen::bench::is_compared(check, number);

  table[thread] = reinterpret_cast<const double*>(check.table)[thread];
  double sums[columns_of_thread] = {};
  for (int start = 0; compared && start < check.k; start += tile_side) {
    ENVGEN_TOGETHER();  // the table is there, and nobody needs the last step's elements any more
    for (int q = 0; q < columns_of_thread; ++q) {
      const int here = column + q * columns_at_once;
      const int j = first_j + q * columns_at_once;
      // Beyond the last row and column this makes what nobody looks at; beyond the last of the k products it adds nothing.
      a[here][row] =
          start + here < check.k ? made(table, check.seed_a, envgen::bench::place_in_a(check, batch, i, start + here)) : 0.0;
      b[here][row] = made(table, check.seed_b, envgen::bench::place_in_b(check, batch, start + row, j));
    }
    ENVGEN_TOGETHER();
    for (int x = 0; x < tile_side; ++x) {
      for (int q = 0; q < columns_of_thread; ++q) sums[q] += a[x][row] * b[column + q * columns_at_once][x];
    }
  }

  ProductTile own{0, 0, 0, 0, 0, 0, envgen::bench::no_element};
  for (int q = 0; q < columns_of_thread; ++q) {
    const int j = first_j + q * columns_at_once;
    if (i >= check.m || j >= check.n) continue;
    const double sign = envgen::bench::sign_of(envgen::bench::row_signs, static_cast<Index>(i)) *
                        envgen::bench::sign_of(envgen::bench::column_signs, static_cast<Index>(j));
    judge(check, own, envgen::bench::place_in(batch, i, j, check.m, check.n), sums[q], sign, compared);
  }
  parts[thread] = own;
  ENVGEN_TOGETHER();
  if (thread != 0) return;
  for (int other = 1; other < threads_in_block; ++other) add(own, parts[other]);
  reinterpret_cast<ProductTile*>(check.tiles)[number] = own;
}
