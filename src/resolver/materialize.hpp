#pragma once

#include "resolver/resolver.hpp"

namespace envgen::resolver {

/// Turns a solution into plain values with the reason of each. Nobody shows them before the independent check has seen them:
/// take api::answer.
Environment materialize(const matrix::Matrix& matrix, const Query& query, const Solution& solution);

/// The lists of apt in the image of an environment whose repositories apt would refuse: `cuda.list`.
std::vector<std::string> stale_lists(const matrix::Matrix& matrix, const Environment& environment);

}  // namespace envgen::resolver
