#include <cstring>
#include <vector>

#include "generator.hpp"
#include "session.hpp"
#include "speed.hpp"
#include "tests/tests.hpp"
#include "timing.hpp"
#include "watched.hpp"

namespace envgen::bench::tests {
namespace {

// Different words for each copy: what a GPU reads from the wrong one, or has kept from before, is not what was sent.
constexpr unsigned one_way_seed = 20'266;
constexpr unsigned there_seed = 20'275;
constexpr unsigned back_seed = 20'276;
constexpr unsigned not_sent = 0xdeadbeef;

/// Lets each of the two read the other's memory, where the driver finds a direct way, and says whether it does.
bool connected(const Session& from, const Session& to) {
  const auto& driver = from.driver();
  int direct = 0;
  driver.check(driver.api.cuDeviceCanAccessPeer(&direct, from.device().ordinal, to.device().ordinal), "cuDeviceCanAccessPeer");
  if (direct == 0) return false;
  const auto enable = [&](const Session& session, const Session& other) {
    session.make_current();
    const auto result = driver.api.cuCtxEnablePeerAccess(other.context(), 0);
    if (result != api::cuda::error_peer_access_already_enabled) driver.check(result, "cuCtxEnablePeerAccess");
  };
  enable(to, from);
  enable(from, to);
  return true;
}

}  // namespace

/// Copies from one GPU to another, one way and both ways, verified. Where the driver finds no direct way it goes through the
/// host: that works too, and the report says which it was. A pair whose direct way is broken (ACS, IOMMU) hangs: hence the hard
/// timeout.
std::vector<Row> peer(const Context& context) {
  Watched watched(context);
  const Session& from = watched.session();
  const auto& driver = from.driver();
  const Session to(driver, context.peer);
  const bool direct = connected(from, to);
  const auto bytes = context.sizes.copy_bytes;
  const auto words = bytes / sizeof(unsigned);
  const auto buffers = [&](const Session& session) {
    session.make_current();
    return std::pair{session.allocate(bytes), session.allocate(bytes)};
  };
  const auto [to_source, to_target] = buffers(to);
  const auto [from_source, from_target] = buffers(from);  // last: this GPU is the current one from here on
  const auto prepare = [&](const Session& session, api::cuda::DevicePointer source, api::cuda::DevicePointer target,
                           unsigned seed) {
    session.make_current();
    session.generate(source, words, seed);
    session.fill(target, not_sent, words);
    session.synchronize();
    from.make_current();
  };
  const auto copy = [&, from_memory = from_source, to_memory = to_target] {
    driver.check(driver.api.cuMemcpyPeerAsync(to_memory, to.context(), from_memory, from.context(), bytes, from.stream()),
                 "cuMemcpyPeerAsync");
  };
  const auto require_arrival = [&](const Session& session, api::cuda::DevicePointer target, unsigned seed, const char* what) {
    session.make_current();
    require_digest(expected_digest(seed, words), session.digest(target, words), what);
    from.make_current();
  };
  prepare(to, to_source, to_target, back_seed);
  prepare(from, from_source, from_target, one_way_seed);
  const auto one_way = time_on(from, context.sizes, copy);
  require_arrival(to, to_target, one_way_seed, "the other GPU's memory");

  const auto back = from.new_stream();
  const auto begun = from.new_event();
  const auto ended = from.new_event();
  prepare(to, to_source, to_target, back_seed);
  prepare(from, from_source, from_target, there_seed);
  const auto both_ways = time_on(from, context.sizes, [&, back_source = to_source, back_target = from_target] {
    driver.check(driver.api.cuEventRecord(begun, from.stream()), "cuEventRecord");
    driver.check(driver.api.cuStreamWaitEvent(back, begun, 0), "cuStreamWaitEvent");
    driver.check(driver.api.cuMemcpyPeerAsync(back_target, from.context(), back_source, to.context(), bytes, back),
                 "cuMemcpyPeerAsync");
    copy();
    driver.check(driver.api.cuEventRecord(ended, back), "cuEventRecord");
    driver.check(driver.api.cuStreamWaitEvent(from.stream(), ended, 0), "cuStreamWaitEvent");
  });
  const auto conditions = watched.conditions();
  require_arrival(to, to_target, there_seed, "the other GPU's memory after copies both ways");
  require_arrival(from, from_target, back_seed, "this GPU's memory after copies both ways");

  const double rate = static_cast<double>(bytes) / one_way.median;
  const double both_rate = 2 * static_cast<double>(bytes) / both_ways.median;
  Row row;
  row.status = Status::pass;
  row.message = std::string(direct ? "direct" : "through the host") + ", " + rate_text(rate, "B/s") + " one way, " +
                rate_text(both_rate, "B/s") + " both ways";
  row.evidence = {{"direct", direct},
                  {"bytes", bytes},
                  {"one_way_seconds", to_json(one_way)},
                  {"both_ways_seconds", to_json(both_ways)},
                  {"one_way_bytes_per_second", rate},
                  {"both_ways_bytes_per_second", both_rate}};
  // The references are of direct copies.
  const auto reference = [&](Metric metric) {
    return direct ? expectation(from.device(), metric, context.options.strict_performance) : std::nullopt;
  };
  return {row, speed_row("peer.one-way", rate, "B/s", reference(Metric::peer_one_way), conditions),
          speed_row("peer.both-ways", both_rate, "B/s", reference(Metric::peer_both_ways), conditions)};
}

}  // namespace envgen::bench::tests
