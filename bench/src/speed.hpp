#pragma once

#include <optional>
#include <string>

#include "context.hpp"
#include "nvml.hpp"
#include "reference.hpp"
#include "row.hpp"

namespace envgen::bench {

/// What NVML said before and after a measurement: speed is judged only where nothing else explains it.
struct Conditions {
  GpuState before;  ///< before this process made a context, so other processes can be counted
  GpuState after;
};

/// Why a speed here is no verdict on the GPU: MIG, other processes on it, throttling; "" where nothing stands in the way.
std::string excuse(const Conditions& conditions);

/// The row `id` of one measured speed: judged against the expectation where there is one and nothing excuses it, else
/// information. `value` in FLOP/s or bytes/s. Never passes a value that is not a number.
Row speed_row(std::string id, double value, const char* unit, const std::optional<Expectation>& expected,
              const Conditions& conditions);

/// `12.3 TFLOP/s`, `980 GB/s`.
std::string rate_text(double value, const char* unit);

}  // namespace envgen::bench
