// The matrix products of a transformer layer, forward and backward, by the image's cuBLAS in fp16.
#include <algorithm>
#include <string>
#include <vector>

#include "layer.hpp"
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

const char* name_of(LayerPart part) { return part == LayerPart::attention ? "attention" : "feed-forward"; }

std::string name_of(const LayerSize& size, LayerPart part, const Shape& shape) {
  return std::string(name_of(part)) + " of h = " + std::to_string(size.hidden) + ", " + std::to_string(shape.batches) + " x (" +
         std::to_string(shape.m) + " x " + std::to_string(shape.k) + ") (" + std::to_string(shape.k) + " x " +
         std::to_string(shape.n) + ")";
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
    for (const auto part : {LayerPart::feed_forward, LayerPart::attention}) {
      Json entry{{"part", name_of(part)}, {"hidden", size.hidden}, {"sequence", size.sequence}, {"batch", size.batch}};
      const auto buffers = buffers_for(size, part);
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
        const auto shapes = backward ? backward_products(size, part) : forward_products(size, part);
        for (const auto& shape : shapes) {
          session.fill(c, 0xffffffff, buffers.c * precision.out.bytes / 4);  // NaN: what is not written cannot pass
          multiplier.multiply(precision, shape, a, b, c);
          verify_product(session, precision, shape, {layer_seed_a, layer_seed_b}, c, most_products, name_of(size, part, shape));
        }
        const auto timing = time_on(session, context.sizes, [&] {
          for (const auto& shape : shapes) multiplier.multiply(precision, shape, a, b, c);
        });
        const double rate = (backward ? 2 : 1) * forward_flop(size, part) / timing.median;
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
