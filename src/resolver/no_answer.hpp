#pragma once

#include <optional>
#include <vector>

#include "resolver/resolver.hpp"

/// What is said where a request has no environment. It chooses from what the defaults leave: wheels, runtime images, x86-64. A
/// proof speaks of that alone, so it says where a default that nobody asked for stands in the way.
namespace envgen::resolver {

/// Up to three environments that give up the least of a request that has none, or for which that is not known: each changes
/// another set of values.
std::vector<Nearest> nearest_environments(const matrix::Matrix& matrix, const Query& query);

/// The request with wheels given up for a conda channel; none where an installer was asked for.
std::optional<Query> asked_of_conda(const matrix::Matrix& matrix, const Query& query);

/// The request with GPUs given by CDI, which checks no image's NVIDIA_REQUIRE_CUDA; none where an engine was asked for, or no
/// machine was.
std::optional<Query> asked_by_cdi(const matrix::Matrix& matrix, const Query& query);

/// The defaults without which the request is no longer proven to have nothing, for a request that is.
std::vector<BeyondDefault> beyond_defaults(const matrix::Matrix& matrix, const Query& query);

}  // namespace envgen::resolver
