#pragma once

#include <functional>

#include "json.hpp"
#include "session.hpp"
#include "sizes.hpp"

namespace envgen::bench {

/// Seconds of one operation.
struct Timing {
  double median = 0;
  double p5 = 0;
  double p95 = 0;
  int samples = 0;
  int repeats = 1;  ///< operations in one sample: the events are too coarse for a short one
};

/// Times what `operation` queues on the session's stream, by facts/bench.md: once to load everything, warmed up, then at least 20
/// samples between events, each with the L2 cache flushed before it and queued behind a spin kernel, so that no sample waits for
/// the host. Throws TestFailed.
Timing time_on(const Session& session, const Sizes& sizes, const std::function<void()>& operation);

/// `{"median", "p5", "p95", "samples", "repeats"}`.
Json to_json(const Timing& timing);

}  // namespace envgen::bench
