#pragma once

#include <vector>

namespace envgen::bench {

/// The value below which `fraction` (0 to 1) of the samples lie, between two neighbours by proportion. NaN of none.
double quantile(std::vector<double> samples, double fraction);

/// The distance of two vectors as a part of the second: ||found - expected|| / ||expected||. NaN as soon as one value is not a
/// number, so that a comparison with a bound never passes; 0 of two vectors of zeros.
double relative_error(const std::vector<double>& found, const std::vector<double>& expected);

}  // namespace envgen::bench
