#pragma once

#include <vector>

#include "resolver/resolver.hpp"

namespace envgen::resolver {

/// Up to three environments that give up the least of a request that has none: each changes another set of values.
std::vector<Nearest> nearest_environments(const matrix::Matrix& matrix, const Query& query);

}  // namespace envgen::resolver
