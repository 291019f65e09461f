#pragma once

#include "resolver/resolver.hpp"

namespace envgen::resolver {

/// False when the request rules out every place that the build could be put.
bool may_be_placed(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build);

/// What is missing for a request that some build of the matrix may serve.
Unknown missing_facts(const matrix::Matrix& matrix, const Query& query);

}  // namespace envgen::resolver
