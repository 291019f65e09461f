// Square products by the image's own cuBLAS, every element held against float64, and timed.
#include <functional>
#include <memory>
#include <vector>

#include "failure.hpp"
#include "matrix_product.hpp"
#include "speed.hpp"
#include "tests/tests.hpp"
#include "timing.hpp"
#include "verify_product.hpp"
#include "watched.hpp"

namespace envgen::bench::tests {
namespace {

constexpr unsigned seed_a = 20'264;
constexpr unsigned seed_b = 20'265;

/// One size, checked and timed.
struct Product {
  Verified verified;
  Timing timing;
  double rate = 0;  ///< FLOP/s
};

Product one_size(const Session& session, const Sizes& sizes, const Blas& blas, const Multiplier& multiplier,
                 const Precision& precision, int n) {
  const auto table = element_table(precision.in);
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const auto a = session.allocate(count * precision.in.bytes);
  const auto b = session.allocate(count * precision.in.bytes);
  const auto c = session.allocate(count * precision.out.bytes);
  make_matrix(session, table, a, count, seed_a);
  make_matrix(session, table, b, count, seed_b);
  session.fill(c, 0xffffffff, count * precision.out.bytes / 4);  // NaN in every format: what is not written cannot pass
  std::function<void()> queue;
  if (precision.by_lt) {
    const auto product = std::make_shared<LtProduct>(session, blas, precision, n);
    queue = [product, a, b, c] { product->multiply(a, b, c); };
  } else {
    queue = [&] { multiplier.multiply(precision, {n, n, n}, a, b, c); };
  }
  Product result;
  queue();
  result.verified = verify_product(session, precision, {n, n, n, precision.by_lt}, {seed_a, seed_b}, c, 0,
                                   precision.name + ", n = " + std::to_string(n));
  result.timing = time_on(session, sizes, queue);
  result.rate = 2.0 * n * n * n / result.timing.median;
  for (const auto memory : {a, b, c}) session.free(memory);
  return result;
}

std::vector<Row> gemm(const Context& context, const char* name) {
  const Precision& precision = bench::precision(name);
  const Blas blas = open_blas(context.places);
  Watched watched(context);
  const Session& session = watched.session();
  if (session.device().capability() < precision.least_capability) {
    const auto least = std::to_string(precision.least_capability / 10) + "." + std::to_string(precision.least_capability % 10);
    throw TestSkipped(precision.name + " needs a GPU of compute capability " + least);
  }
  const Multiplier multiplier(session, blas);
  Json measured = Json::array();
  double rate = 0;
  int largest = 0;
  for (const int n : context.sizes.gemm) {
    const auto bytes = static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * (2 * precision.in.bytes + precision.out.bytes);
    if (bytes > session.free_bytes() / 10 * 9) {
      measured.push_back({{"n", n}, {"skipped", "not enough free memory on the GPU"}});
      continue;
    }
    const auto product = one_size(session, context.sizes, blas, multiplier, precision, n);
    measured.push_back({{"n", n},
                        {"error", product.verified.error},
                        {"bound", product.verified.bound},
                        {"compared", product.verified.compared},
                        {"seconds", to_json(product.timing)},
                        {"flop_per_second", product.rate}});
    rate = product.rate;
    largest = n;
  }
  const auto conditions = watched.conditions();
  if (largest == 0) throw TestSkipped("not enough free memory on the GPU");
  Row row;
  row.status = Status::pass;
  row.message = "correct up to n = " + std::to_string(largest) + ", " + rate_text(rate, "FLOP/s");
  row.evidence = {{"library", blas.library.path}, {"lt_library", blas.lt_library.path}, {"sizes", std::move(measured)}};
  const bool strict = context.options.strict_performance;
  const auto expected =
      precision.metric ? expectation_of_product(session.device(), *precision.metric, largest, strict) : std::nullopt;
  return {row, speed_row("gemm-" + precision.name + ".speed", rate, "FLOP/s", expected, conditions)};
}

}  // namespace

std::vector<Row> gemm_fp32(const Context& context) { return gemm(context, "fp32"); }
std::vector<Row> gemm_tf32(const Context& context) { return gemm(context, "tf32"); }
std::vector<Row> gemm_fp16(const Context& context) { return gemm(context, "fp16"); }
std::vector<Row> gemm_bf16(const Context& context) { return gemm(context, "bf16"); }
std::vector<Row> gemm_fp8(const Context& context) { return gemm(context, "fp8"); }

}  // namespace envgen::bench::tests
