#pragma once

#include <string>

#include "reports/speeds.hpp"

namespace envgen::reports {

inline constexpr double usual_tolerance = 10;  ///< percent

/// Why the speeds of a report say nothing that holds tomorrow: test doubles. Empty: they do.
std::string worthless(const validate::Report& report);

/// Judges each speed of `report` by the same test, size and GPU model of `baseline` (an earlier report, `name` is its file), and
/// puts what comes of it in the place of the check `baseline`: a failure for each that is slower by more than `tolerance`
/// percent, with both figures, else one pass. What cannot be compared (another model or size, throttled, MIG, test doubles) is
/// said, and never a verdict.
void compare_with_baseline(validate::Report& report, const validate::Report& baseline, const std::string& name, double tolerance);

}  // namespace envgen::reports
