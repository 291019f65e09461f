#pragma once

#include <vector>

namespace envgen::bench {

/// The value below which `fraction` (0 to 1) of the samples lie, between two neighbours by proportion. NaN of none.
double quantile(std::vector<double> samples, double fraction);

}  // namespace envgen::bench
