#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace envgen::bench {

double quantile(std::vector<double> samples, double fraction) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(samples.begin(), samples.end());
  const double place = fraction * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, samples.size() - 1);
  const double part = place - static_cast<double>(below);
  return samples[below] * (1 - part) + samples[above] * part;
}

}  // namespace envgen::bench
