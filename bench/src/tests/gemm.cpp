// Square products by the image's own cuBLAS, checked against float64 and timed.
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "failure.hpp"
#include "matrix_product.hpp"
#include "speed.hpp"
#include "statistics.hpp"
#include "tests/tests.hpp"
#include "timing.hpp"
#include "watched.hpp"

namespace envgen::bench::tests {
namespace {

constexpr unsigned seed_a = 20'264;
constexpr unsigned seed_b = 20'265;
constexpr int sampled_rows = 4;

/// Where the sampled rows lie: spread over the matrix, the first and the last among them.
int sampled_row(int number, int n) { return static_cast<int>(static_cast<long long>(number) * (n - 1) / (sampled_rows - 1)); }

/// The sampled rows of A B in float64, row after row. A lies transposed in memory where `transposed`.
std::vector<double> expected_rows(const ElementTable& table, int n, bool transposed) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> rows(sampled_rows * size, 0.0);
  std::vector<double> a(sampled_rows * size);
  for (int r = 0; r < sampled_rows; ++r) {
    const auto i = static_cast<std::size_t>(sampled_row(r, n));
    for (std::size_t k = 0; k < size; ++k) {
      a[static_cast<std::size_t>(r) * size + k] = element_value(table, seed_a, transposed ? i * size + k : k * size + i);
    }
  }
  for (std::size_t j = 0; j < size; ++j) {
    std::array<double, sampled_rows> sums{};
    for (std::size_t k = 0; k < size; ++k) {
      const double b = element_value(table, seed_b, j * size + k);
      for (std::size_t r = 0; r < sampled_rows; ++r) sums[r] += a[r * size + k] * b;
    }
    for (std::size_t r = 0; r < sampled_rows; ++r) rows[r * size + j] = sums[r];
  }
  return rows;
}

/// The same rows of what lies at `c`.
std::vector<double> found_rows(const Session& session, ElementFormat format, api::cuda::DevicePointer c, int n) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<unsigned char> bytes(size * size * format.bytes);
  session.to_host(bytes.data(), c, bytes.size());
  session.synchronize();
  std::vector<double> rows(sampled_rows * size);
  for (std::size_t r = 0; r < sampled_rows; ++r) {
    const auto i = static_cast<std::size_t>(sampled_row(static_cast<int>(r), n));
    for (std::size_t j = 0; j < size; ++j) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &bytes[(j * size + i) * format.bytes], format.bytes);
      rows[r * size + j] = decoded(bits, format);
    }
  }
  return rows;
}

void require_close(double error, const Precision& precision, int n) {
  if (error <= precision.bound) return;  // a NaN is not
  Failure failure;
  char text[120];
  std::snprintf(text, sizeof text, "%s, n = %d: the error against float64 is %.2g, more than %.0g", precision.name.c_str(), n,
                error, precision.bound);
  failure.message = text;
  throw TestFailed(failure);
}

/// One size, checked and timed.
struct Product {
  double error = 0;
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
  result.error = relative_error(found_rows(session, precision.out, c, n), expected_rows(table, n, precision.by_lt));
  require_close(result.error, precision, n);
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
    throw TestSkipped(precision.name + " needs a GPU of capability " + least);
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
                        {"error", product.error},
                        {"bound", precision.bound},
                        {"seconds", to_json(product.timing)},
                        {"flop_per_second", product.rate}});
    rate = product.rate;
    largest = n;
  }
  const auto conditions = watched.conditions();
  if (largest == 0) throw TestSkipped("not enough free memory on the GPU");
  Row row;
  row.status = Status::pass;
  row.message = "right up to n = " + std::to_string(largest) + ", " + rate_text(rate, "FLOP/s");
  row.evidence = {{"library", blas.library.path}, {"lt_library", blas.lt_library.path}, {"sizes", std::move(measured)}};
  // The references are of n = 8192; a smaller product does not fill a large GPU.
  constexpr int reference_n = 8192;
  const auto expected = precision.metric && largest == reference_n
                            ? expectation(session.device(), *precision.metric, context.options.strict_performance)
                            : std::nullopt;
  return {row, speed_row("gemm-" + precision.name + ".speed", rate, "FLOP/s", expected, conditions)};
}

}  // namespace

std::vector<Row> gemm_fp32(const Context& context) { return gemm(context, "fp32"); }
std::vector<Row> gemm_tf32(const Context& context) { return gemm(context, "tf32"); }
std::vector<Row> gemm_fp16(const Context& context) { return gemm(context, "fp16"); }
std::vector<Row> gemm_bf16(const Context& context) { return gemm(context, "bf16"); }
std::vector<Row> gemm_fp8(const Context& context) { return gemm(context, "fp8"); }

}  // namespace envgen::bench::tests
