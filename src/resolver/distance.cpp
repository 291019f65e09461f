#include "resolver/distance.hpp"

#include <algorithm>
#include <cstdlib>

namespace envgen::resolver {

using matrix::Build;
using matrix::Matrix;

Distance::Distance(const Matrix& matrix, const Query& query) : matrix_(matrix), query_(query) {
  for (const auto& release : matrix->releases) {
    if (release.framework != query.framework) continue;
    const auto minor = release.version.at(2);
    if (minors_.empty() || minors_.back() != minor) minors_.push_back(minor);
    if (query.version.value != no_value && query.version.spec.matches(release.version)) wanted_.push_back(minor);
  }
  for (auto* list : {&minors_, &wanted_}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  if (wanted_.empty() && query.version.spec.single()) wanted_.push_back(query.version.spec.single());
}

int Distance::of(const Build& build) const {
  constexpr int release_weight = 10;
  return release_weight * release(build) + cuda(build);
}

int Distance::release(const Build& build) const {
  if (query_.version.value == no_value || query_.version.spec.matches(build.version)) return 0;
  const auto at = [&](Version version) {
    return static_cast<int>(std::lower_bound(minors_.begin(), minors_.end(), version.at(2)) - minors_.begin());
  };
  int nearest = static_cast<int>(minors_.size());
  for (const auto version : wanted_) nearest = std::min(nearest, std::abs(at(version) - at(build.version)));
  return nearest + 1;  // a changed release is never as near as the asked one
}

int Distance::cuda(const Build& build) const {
  constexpr int major_weight = 10;
  int distance = 0;
  for (const auto& asked : query_.cuda) {
    const auto wanted = asked.spec.single();
    if (asked.cpu || !wanted || build.cuda.under(wanted.at(2))) continue;
    const auto low = std::min(wanted.at(2), build.cuda);
    const auto high = std::max(wanted.at(2), build.cuda);
    if (low.major() != high.major()) distance += major_weight;
    distance += static_cast<int>(std::count_if(matrix_->cuda_minors.begin(), matrix_->cuda_minors.end(),
                                               [&](const auto& minor) { return minor.cuda > low && minor.cuda <= high; }));
  }
  return distance;
}

}  // namespace envgen::resolver
