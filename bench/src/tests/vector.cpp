#include <cmath>
#include <vector>

#include "failure.hpp"
#include "session.hpp"
#include "speed.hpp"
#include "tests/tests.hpp"
#include "timing.hpp"
#include "watched.hpp"

namespace envgen::bench::tests {

/// Element-wise multiplication of a vector of floats: 8n bytes, read and written. Sizes that the L2 cache holds measure the cache
/// and the launch, and say so.
std::vector<Row> vector(const Context& context) {
  Watched watched(context);
  const Session& session = watched.session();
  Json measured = Json::array();
  double largest_rate = 0;
  for (const auto count : context.sizes.vector_floats) {
    const auto bytes = count * sizeof(float);
    const auto from = session.allocate(bytes);
    const auto to = session.allocate(bytes);
    std::vector<float> values(count);
    // Small whole numbers: their products are exact, and no two neighbours are equal.
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 8191);
    session.to_device(from, values.data(), bytes);
    session.fill(to, 0xffffffff, count);  // NaN: what is not written cannot pass, whatever lay there before
    constexpr float factor = 3;
    const auto timing = time_on(session, context.sizes, [&] {
      session.launch("scale_vector", count, to, from, static_cast<unsigned long long>(count), factor);
    });
    std::vector<float> result(count, std::nanf(""));
    session.to_host(result.data(), to, bytes);
    session.synchronize();
    for (std::size_t i = 0; i < count; ++i) {
      if (result[i] == values[i] * factor) continue;
      Failure failure;
      failure.message = "element " + std::to_string(i) + " of " + std::to_string(count) + " is " + std::to_string(result[i]) +
                        ", expected " + std::to_string(values[i] * factor);
      throw TestFailed(failure);
    }
    largest_rate = 2 * static_cast<double>(bytes) / timing.median;
    measured.push_back({{"floats", count},
                        {"seconds", to_json(timing)},
                        {"bytes_per_second", largest_rate},
                        {"l2_resident", 2 * bytes <= static_cast<std::size_t>(session.device().l2_bytes)}});
    session.free(from);
    session.free(to);
  }
  Row row;
  row.status = Status::pass;
  row.message = rate_text(largest_rate, "B/s") + " for " + std::to_string(context.sizes.vector_floats.back()) + " floats";
  row.evidence = {{"sizes", std::move(measured)}};
  const auto expected = expectation(session.device(), Metric::vector, context.options.strict_performance);
  return {row, speed_row("vector.speed", largest_rate, "B/s", expected, watched.conditions())};
}

}  // namespace envgen::bench::tests
