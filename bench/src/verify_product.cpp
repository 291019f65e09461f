#include "verify_product.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "failure.hpp"
#include "product_check.hpp"
#include "tolerance.hpp"

namespace envgen::bench {
namespace {

constexpr std::size_t threads_in_tile = 256;
/// A launch ends within a second on a GPU with 1/64 of its speed for float64: no display's watchdog is woken.
constexpr double products_in_launch = 3.4e10;

[[noreturn]] void fail(const std::string& message) {
  Failure failure;
  failure.message = message;
  throw TestFailed(failure);
}

double mean_square(const ElementTable& table) {
  double sum = 0;
  for (const double value : table.values) sum += value * value;
  return sum / static_cast<double>(table.values.size());
}

unsigned format_of(ElementFormat format) {
  if (format.bytes == 4) return result_fp32;
  return format.exponent_bits == format_fp16.exponent_bits ? result_fp16 : result_bf16;
}

/// x' op(A) op(B) y for the signs x and y, of all batches together.
double signed_sum(const ProductCheck& check, const ElementTable& table) {
  double sum = 0;
  for (int batch = 0; batch < check.batches; ++batch) {
    for (int x = 0; x < check.k; ++x) {
      double left = 0;
      for (int i = 0; i < check.m; ++i) {
        const auto sign = sign_of(row_signs, static_cast<unsigned long long>(i));
        left += sign * element_value(table, check.seed_a, place_in_a(check, batch, i, x));
      }
      double right = 0;
      for (int j = 0; j < check.n; ++j) {
        const auto sign = sign_of(column_signs, static_cast<unsigned long long>(j));
        right += sign * element_value(table, check.seed_b, place_in_b(check, batch, x, j));
      }
      sum += left * right;
    }
  }
  return sum;
}

/// What one element should be, on the CPU.
double expected_at(const ProductCheck& check, const ElementTable& table, int batch, int i, int j) {
  double sum = 0;
  for (int x = 0; x < check.k; ++x) {
    sum += element_value(table, check.seed_a, place_in_a(check, batch, i, x)) *
           element_value(table, check.seed_b, place_in_b(check, batch, x, j));
  }
  return sum;
}

[[noreturn]] void fail_at(const Session& session, const Precision& precision, const ProductCheck& check,
                          const ElementTable& table, const ProductTile& all, const std::string& what) {
  const auto rows = static_cast<unsigned long long>(check.m);
  const auto columns = static_cast<unsigned long long>(check.n);
  const int i = static_cast<int>(all.first_wrong % rows);
  const int j = static_cast<int>(all.first_wrong / rows % columns);
  const int batch = static_cast<int>(all.first_wrong / rows / columns);
  std::uint32_t bits = 0;
  session.to_host(&bits, check.found + all.first_wrong * precision.out.bytes, precision.out.bytes);
  session.synchronize();
  char text[200];
  std::snprintf(text, sizeof text,
                ": %llu of %llu elements are wrong; the first, in row %d and column %d, is %.9g, expected %.9g", all.wrong,
                all.seen, i, j, static_cast<double>(decoded(bits, precision.out)), expected_at(check, table, batch, i, j));
  fail(what + text);
}

/// Runs the kernel over all tiles.
ProductTile compared_tiles(const Session& session, ProductCheck& check) {
  const auto count = static_cast<std::size_t>(tiles_of(check));
  std::vector<ProductTile> tiles(count);
  const auto bytes = count * sizeof(ProductTile);
  check.tiles = session.allocate(bytes);
  session.fill(check.tiles, 0, bytes / sizeof(unsigned));  // a tile that no block writes has seen no element
  const double products = static_cast<double>(tile_side) * tile_side * check.k / check.stride;
  const auto at_once = std::max(static_cast<std::size_t>(products_in_launch / products), std::size_t{1});
  for (std::size_t first = 0; first < count; first += at_once) {
    check.first = first;
    session.launch("compare_product", std::min(at_once, count - first) * threads_in_tile, check);
  }
  session.to_host(tiles.data(), check.tiles, bytes);
  session.synchronize();
  session.free(check.tiles);
  ProductTile all{0, 0, 0, 0, 0, 0, no_element};
  for (const auto& tile : tiles) {
    all.error_squares += tile.error_squares;
    all.expected_squares += tile.expected_squares;
    all.signed_sum += tile.signed_sum;
    all.seen += tile.seen;
    all.compared += tile.compared;
    all.wrong += tile.wrong;
    all.first_wrong = std::min(all.first_wrong, tile.first_wrong);
  }
  return all;
}

}  // namespace

Verified verify_product(const Session& session, const Precision& precision, const Multiplier::Shape& shape,
                        const Operands& operands, api::cuda::DevicePointer c, double most_products, const std::string& what) {
  const auto table = element_table(precision.in);
  const auto bound = tolerance(precision.rounding, precision.out, shape.k, mean_square(table));
  ProductCheck check{};
  check.found = c;
  check.relative = bound.relative;
  check.slack = bound.slack;
  check.most = bound.most;
  check.m = shape.m;
  check.n = shape.n;
  check.k = shape.k;
  check.batches = shape.batches;
  check.transpose_a = shape.transpose_a ? 1 : 0;
  check.transpose_b = shape.transpose_b ? 1 : 0;
  check.seed_a = operands.seed_a;
  check.seed_b = operands.seed_b;
  check.format = format_of(precision.out);
  const auto elements = static_cast<unsigned long long>(shape.m) * static_cast<unsigned long long>(shape.n) *
                        static_cast<unsigned long long>(shape.batches);
  const double products = static_cast<double>(elements) * shape.k;
  // Odd, so that it goes through all rows and columns of tiles where those are powers of two.
  check.stride = most_products > 0 ? static_cast<unsigned>(products / most_products) | 1U : 1U;
  check.table = session.allocate(sizeof table.values);
  session.to_device(check.table, table.values.data(), sizeof table.values);
  const auto all = compared_tiles(session, check);
  session.free(check.table);

  // A launch that was lost leaves tiles that have seen nothing.
  const auto least = check.stride == 1 ? elements : 1;
  if (all.seen != elements || all.compared < least) {
    fail(what + ": " + std::to_string(all.compared) + " elements were compared and " + std::to_string(all.seen) + " read, not " +
         std::to_string(elements));
  }
  if (check.stride == 1) {
    const double expected = signed_sum(check, table);
    const double off = std::fabs(all.signed_sum - expected);
    if (!(off <= reference_bound * std::sqrt(static_cast<double>(elements)) * bound.size)) {
      char text[160];
      std::snprintf(text, sizeof text, ": the GPU's own float64 is wrong: its signed sum is %.12g, the CPU's %.12g",
                    all.signed_sum, expected);
      fail(what + text);
    }
  }
  if (all.wrong > 0) fail_at(session, precision, check, table, all, what);
  const double error = std::sqrt(all.error_squares / all.expected_squares);
  if (!(error <= bound.norm)) {  // a NaN is not
    char text[100];
    std::snprintf(text, sizeof text, ": the error against float64 is %.2g, more than %.2g", error, bound.norm);
    fail(what + text);
  }
  return {error, bound.norm, all.compared};
}

}  // namespace envgen::bench
