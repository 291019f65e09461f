// The matrix products of a transformer layer, forward and backward, by the image's cuBLAS in fp16.
#include <algorithm>
#include <string>
#include <vector>

#include "matrix_product.hpp"
#include "session.hpp"
#include "speed.hpp"
#include "tests/tests.hpp"
#include "timing.hpp"
#include "verify_product.hpp"
#include "watched.hpp"

namespace envgen::bench::tests {
namespace {

using Shape = Multiplier::Shape;

constexpr unsigned layer_seed_a = 20'271;
constexpr unsigned layer_seed_b = 20'272;
/// As many multiplications of float64 as a product is held against: more would take longer than what is measured. Then it is part
/// of a product, chosen by tiles; a fourth of n = 8192 (tests/gemm.cpp holds all of that one against float64).
constexpr double most_products = 1.4e11;

struct LayerSize {
  int hidden;
  int sequence;
  int batch;
};

/// FLOP of facts/bench.md: feed-forward 16 b s h^2; attention 4 b s^2 h + 8 b s h^2; backward twice forward.
double forward_flop(const LayerSize& size, bool attention) {
  const double b = size.batch;
  const double s = size.sequence;
  const double h = size.hidden;
  return attention ? 4 * b * s * s * h + 8 * b * s * h * h : 16 * b * s * h * h;
}

/// Forward, activations are columns: Y = W X. Backward of each product: dX = W^T dY, and dW = dY X^T.
std::vector<Shape> with_backward(const std::vector<Shape>& forward, bool backward) {
  if (!backward) return forward;
  std::vector<Shape> shapes;
  for (const auto& product : forward) {
    shapes.push_back({product.k, product.n, product.m, true, false, product.batches});
    shapes.push_back({product.m, product.k, product.n, false, true, product.batches});
  }
  return shapes;
}

/// Feed-forward: to four times the width and back.
std::vector<Shape> feed_forward(const LayerSize& size) {
  const int tokens = size.batch * size.sequence;
  return {{4 * size.hidden, tokens, size.hidden}, {size.hidden, tokens, 4 * size.hidden}};
}

/// Attention: query, key, value and output projections; scores and weighted sums, a product a head.
std::vector<Shape> attention(const LayerSize& size) {
  constexpr int head_width = 64;
  const int tokens = size.batch * size.sequence;
  const int heads = size.batch * (size.hidden / head_width);
  std::vector<Shape> shapes(4, Shape{size.hidden, tokens, size.hidden});
  shapes.push_back({size.sequence, size.sequence, head_width, true, false, heads});
  shapes.push_back({head_width, size.sequence, size.sequence, false, false, heads});
  return shapes;
}

std::size_t elements(int rows, int columns, int batches) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * static_cast<std::size_t>(batches);
}

/// The largest operand and result of all products: one buffer of each serves all, for no product needs another's result.
struct Buffers {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t c = 0;
  void fit(const std::vector<Shape>& shapes) {
    for (const auto& shape : shapes) {
      a = std::max(a, elements(shape.m, shape.k, shape.batches));
      b = std::max(b, elements(shape.k, shape.n, shape.batches));
      c = std::max(c, elements(shape.m, shape.n, shape.batches));
    }
  }
};

std::string name_of(const LayerSize& size, bool attention, const Shape& shape) {
  return std::string(attention ? "attention" : "feed-forward") + " of h = " + std::to_string(size.hidden) + ", " +
         std::to_string(shape.batches) + " x (" + std::to_string(shape.m) + " x " + std::to_string(shape.k) + ") (" +
         std::to_string(shape.k) + " x " + std::to_string(shape.n) + ")";
}

std::vector<LayerSize> layer_sizes(const Sizes& sizes, bool small) {
  const int h = sizes.block_hidden;
  if (small) return {{h, 16, 2}};  // two, so that there are products in batches
  return {{h, 128, 64}, {h, 512, 64}, {4 * h, 512, 16}};
}

}  // namespace

std::vector<Row> block(const Context& context) {
  const Precision& precision = bench::precision("fp16");
  const Blas blas = open_blas(context.places);
  Watched watched(context);
  const Session& session = watched.session();
  const Multiplier multiplier(session, blas);
  const auto table = element_table(precision.in);
  Json measured = Json::array();
  double best = 0;
  for (const auto& size : layer_sizes(context.sizes, context.options.scale != 1)) {
    for (const bool is_attention : {false, true}) {
      const auto forward = is_attention ? attention(size) : feed_forward(size);
      Json entry{{"part", is_attention ? "attention" : "feed-forward"},
                 {"hidden", size.hidden},
                 {"sequence", size.sequence},
                 {"batch", size.batch}};
      Buffers buffers;
      buffers.fit(forward);
      buffers.fit(with_backward(forward, true));
      if ((buffers.a + buffers.b + buffers.c) * precision.in.bytes > session.free_bytes() / 10 * 9) {
        entry["skipped"] = "not enough free memory on the GPU";
        measured.push_back(std::move(entry));
        continue;
      }
      const auto a = session.allocate(buffers.a * precision.in.bytes);
      const auto b = session.allocate(buffers.b * precision.in.bytes);
      const auto c = session.allocate(buffers.c * precision.out.bytes);
      make_matrix(session, table, a, buffers.a, layer_seed_a);
      make_matrix(session, table, b, buffers.b, layer_seed_b);
      for (const bool backward : {false, true}) {
        const auto shapes = with_backward(forward, backward);
        for (const auto& shape : shapes) {
          const auto count = elements(shape.m, shape.n, shape.batches);
          session.fill(c, 0xffffffff, count * precision.out.bytes / 4);  // NaN: what is not written cannot pass
          multiplier.multiply(precision, shape, a, b, c);
          verify_product(session, precision, shape, {layer_seed_a, layer_seed_b}, c, most_products,
                         name_of(size, is_attention, shape));
        }
        const auto timing = time_on(session, context.sizes, [&] {
          for (const auto& shape : shapes) multiplier.multiply(precision, shape, a, b, c);
        });
        const double rate = (backward ? 2 : 1) * forward_flop(size, is_attention) / timing.median;
        entry[backward ? "backward" : "forward"] = {{"seconds", to_json(timing)}, {"flop_per_second", rate}};
        best = std::max(best, rate);
      }
      measured.push_back(std::move(entry));
      for (const auto memory : {a, b, c}) session.free(memory);
    }
  }
  if (best == 0) throw TestSkipped("not enough free memory on the GPU");
  Row row;
  row.status = Status::pass;
  row.message = "up to " + rate_text(best, "FLOP/s") + " in fp16";
  row.evidence = {{"library", blas.library.path}, {"precision", precision.name}, {"parts", std::move(measured)}};
  return {row};
}

}  // namespace envgen::bench::tests
