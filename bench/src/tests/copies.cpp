// Copies between the host and the GPU, and on the GPU.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "generator.hpp"
#include "session.hpp"
#include "speed.hpp"
#include "tests/tests.hpp"
#include "timing.hpp"
#include "watched.hpp"

namespace envgen::bench::tests {
namespace {

constexpr unsigned copy_seed = 20'263;
constexpr unsigned nothing = 0xdeadbeef;

void generate_on_host(unsigned* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) words[i] = generated_word(copy_seed, i);
}

/// The functional row of a copy, with how long it took.
Row copied_row(std::size_t bytes, const Timing& timing, double rate) {
  Row row;
  row.status = Status::pass;
  row.message = std::to_string(bytes >> 20) + " MiB copied intact, " + rate_text(rate, "B/s");
  row.evidence = {{"bytes", bytes}, {"seconds", to_json(timing)}, {"bytes_per_second", rate}};
  return row;
}

/// The one of two directions that a test measures.
enum class Direction { to_device, to_host };

/// Bytes per second of copies from or to memory that the driver has not pinned: it goes through a buffer of the driver's, so this
/// waits for the host, and is timed by the host's clock. `device` holds the words that are sent, or is to.
double pageable_rate(const Session& session, Direction direction, api::cuda::DevicePointer device, std::size_t bytes,
                     int samples) {
  std::vector<unsigned> host(bytes / sizeof(unsigned), nothing);
  if (direction == Direction::to_device) {
    generate_on_host(host.data(), host.size());
    session.fill(device, nothing, host.size());
  }
  std::vector<double> seconds;
  for (int i = 0; i < samples; ++i) {
    session.synchronize();
    const auto start = std::chrono::steady_clock::now();
    direction == Direction::to_device ? session.to_device(device, host.data(), bytes)
                                      : session.to_host(host.data(), device, bytes);
    session.synchronize();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  require_digest(
      expected_digest(copy_seed, host.size()),
      direction == Direction::to_device ? session.digest(device, host.size()) : host_digest(host.data(), host.size()),
      direction == Direction::to_device ? "the GPU's memory after a pageable copy" : "the host's memory after a pageable copy");
  std::sort(seconds.begin(), seconds.end());
  return static_cast<double>(bytes) / std::max(seconds[seconds.size() / 2], 1e-9);
}

std::vector<Row> one_direction(const Context& context, Direction direction) {
  Watched watched(context);
  const Session& session = watched.session();
  const auto bytes = context.sizes.copy_bytes;
  const auto words = bytes / sizeof(unsigned);
  auto* host = static_cast<unsigned*>(session.allocate_pinned(bytes));
  const auto device = session.allocate(bytes);
  std::optional<Timing> timing;
  if (direction == Direction::to_device) {
    generate_on_host(host, words);
    session.fill(device, nothing, words);
    timing = time_on(session, context.sizes, [&] { session.to_device(device, host, bytes); });
    require_digest(expected_digest(copy_seed, words), session.digest(device, words),
                   "the GPU's memory after a copy from the host");
  } else {
    session.generate(device, words, copy_seed);
    std::fill(host, host + words, nothing);
    timing = time_on(session, context.sizes, [&] { session.to_host(host, device, bytes); });
    require_digest(expected_digest(copy_seed, words), host_digest(host, words), "the host's memory after a copy from the GPU");
  }
  const auto conditions = watched.conditions();
  const double rate = static_cast<double>(bytes) / timing->median;
  Row row = copied_row(bytes, *timing, rate);
  row.evidence["pageable_bytes_per_second"] = pageable_rate(session, direction, device, bytes, 5);
  const char* id = direction == Direction::to_device ? "h2d.speed" : "d2h.speed";
  return {row, speed_row(id, rate, "B/s", std::nullopt, conditions)};
}

}  // namespace

std::vector<Row> host_to_device(const Context& context) { return one_direction(context, Direction::to_device); }
std::vector<Row> device_to_host(const Context& context) { return one_direction(context, Direction::to_host); }

std::vector<Row> both_directions(const Context& context) {
  Watched watched(context);
  const Session& session = watched.session();
  const auto& driver = session.driver();
  const auto bytes = context.sizes.copy_bytes;
  const auto words = bytes / sizeof(unsigned);
  auto* from = static_cast<unsigned*>(session.allocate_pinned(bytes));
  auto* to = static_cast<unsigned*>(session.allocate_pinned(bytes));
  generate_on_host(from, words);
  std::fill(to, to + words, nothing);
  const auto written = session.allocate(bytes);
  const auto read = session.allocate(bytes);
  session.fill(written, nothing, words);
  session.generate(read, words, copy_seed);
  session.synchronize();
  const auto other = session.new_stream();
  const auto begun = session.new_event();
  const auto ended = session.new_event();
  // The session's stream lets the other begin with it, and waits for its end: the time is that of the slower one.
  const auto timing = time_on(session, context.sizes, [&] {
    driver.check(driver.api.cuEventRecord(begun, session.stream()), "cuEventRecord");
    driver.check(driver.api.cuStreamWaitEvent(other, begun, 0), "cuStreamWaitEvent");
    driver.check(driver.api.cuMemcpyDtoHAsync_v2(to, read, bytes, other), "cuMemcpyDtoHAsync");
    session.to_device(written, from, bytes);
    driver.check(driver.api.cuEventRecord(ended, other), "cuEventRecord");
    driver.check(driver.api.cuStreamWaitEvent(session.stream(), ended, 0), "cuStreamWaitEvent");
  });
  const auto expected = expected_digest(copy_seed, words);
  require_digest(expected, session.digest(written, words), "the GPU's memory after copies in both directions");
  require_digest(expected, host_digest(to, words), "the host's memory after copies in both directions");
  const auto conditions = watched.conditions();
  const double rate = 2 * static_cast<double>(bytes) / timing.median;
  return {copied_row(2 * bytes, timing, rate), speed_row("copy-both.speed", rate, "B/s", std::nullopt, conditions)};
}

std::vector<Row> device_copy(const Context& context) {
  Watched watched(context);
  const Session& session = watched.session();
  const bool small = context.options.scale != 1;
  const auto l2 = static_cast<std::size_t>(session.device().l2_bytes);
  const auto bytes = small ? context.sizes.device_copy_bytes : std::max(context.sizes.device_copy_bytes, 8 * l2);
  const auto words = bytes / sizeof(unsigned);
  constexpr std::size_t bytes_a_thread = 16;
  const auto threads = bytes / bytes_a_thread;
  const auto from = session.allocate(bytes);
  const auto to = session.allocate(bytes);
  session.generate(from, words, copy_seed);
  session.fill(to, nothing, words);
  const auto timing = time_on(session, context.sizes,
                              [&] { session.launch("copy_16", threads, to, from, static_cast<unsigned long long>(threads)); });
  const auto conditions = watched.conditions();
  require_digest(expected_digest(copy_seed, words), session.digest(to, words), "the GPU's memory after a copy on it");
  // Every byte is read and written.
  const double rate = 2 * static_cast<double>(bytes) / timing.median;
  const auto expected = expectation(session.device(), Metric::device_copy, context.options.strict_performance);
  return {copied_row(bytes, timing, rate), speed_row("d2d.speed", rate, "B/s", expected, conditions)};
}

}  // namespace envgen::bench::tests
