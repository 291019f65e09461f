#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "statistics.hpp"

namespace envgen::bench {
namespace {

constexpr double shortest_sample = 50e-6;  // seconds; events resolve 0.5 microseconds
constexpr int most_repeats = 1000;
// Some 100 microseconds and 10 for each operation: longer than it takes the host to queue a sample.
constexpr long long spin_cycles = 200'000;
constexpr long long spin_cycles_for_each = 20'000;
constexpr std::size_t least_flush = 4U << 20;

class Timer {
 public:
  Timer(const Session& session, const std::function<void()>& operation)
      : session_(session),
        operation_(operation),
        start_(session.new_event()),
        end_(session.new_event()),
        flush_bytes_(std::max(least_flush, 2 * static_cast<std::size_t>(session.device().l2_bytes))),
        flush_(session.allocate(flush_bytes_)) {}
  ~Timer() { session_.driver().api.cuMemFree_v2(flush_); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  double sample(int repeats) {
    session_.fill(flush_, 0x5a5a5a5a, flush_bytes_ / 4);
    session_.launch("spin", 1, spin_cycles + repeats * spin_cycles_for_each);
    record(start_);
    for (int i = 0; i < repeats; ++i) operation_();
    record(end_);
    session_.driver().check(session_.driver().api.cuEventSynchronize(end_), "cuEventSynchronize");
    // An event of 0 ms would make a speed infinite; no operation takes less than this.
    return std::max(session_.seconds_between(start_, end_), 1e-9) / repeats;
  }

 private:
  void record(api::cuda::Event event) {
    session_.driver().check(session_.driver().api.cuEventRecord(event, session_.stream()), "cuEventRecord");
  }

  const Session& session_;
  const std::function<void()>& operation_;
  api::cuda::Event start_;
  api::cuda::Event end_;
  std::size_t flush_bytes_;
  api::cuda::DevicePointer flush_;
};

}  // namespace

Timing time_on(const Session& session, const Sizes& sizes, const std::function<void()>& operation) {
  Timer timer(session, operation);
  timer.sample(1);
  Timing timing;
  timing.samples = sizes.samples;
  timing.repeats =
      static_cast<int>(std::clamp(std::ceil(shortest_sample / timer.sample(1)), 1.0, static_cast<double>(most_repeats)));
  const auto warm = std::chrono::steady_clock::now() + std::chrono::duration<double>(sizes.warm_up_seconds);
  while (std::chrono::steady_clock::now() < warm) timer.sample(timing.repeats);
  std::vector<double> samples;
  for (int i = 0; i < timing.samples; ++i) samples.push_back(timer.sample(timing.repeats));
  timing.median = quantile(samples, 0.5);
  timing.p5 = quantile(samples, 0.05);
  timing.p95 = quantile(samples, 0.95);
  return timing;
}

Json to_json(const Timing& timing) {
  return {{"median", timing.median},
          {"p5", timing.p5},
          {"p95", timing.p95},
          {"samples", timing.samples},
          {"repeats", timing.repeats}};
}

}  // namespace envgen::bench
