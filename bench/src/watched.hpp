#pragma once

#include "context.hpp"
#include "driver.hpp"
#include "nvml.hpp"
#include "session.hpp"
#include "speed.hpp"

namespace envgen::bench {

/// A session on the context's GPU that knows what NVML said before it began.
class Watched {
 public:
  explicit Watched(const Context& context);
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  const Session& session() const { return session_; }
  /// With what NVML says now: ask right after a measurement, while the clocks are still what they were.
  Conditions conditions();

 private:
  Nvml nvml_;
  Driver driver_;
  Conditions conditions_;
  Session session_;
};

}  // namespace envgen::bench
