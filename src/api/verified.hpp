#pragma once

#include "model/environment.hpp"
#include "resolver/resolver.hpp"

namespace envgen::api {

/// The environment of a solution, once the independent check has found nothing against it.
/// Errors (internal): what the check holds against it, by the facts that it breaks.
Expected<Environment> verified(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                               const resolver::Solution& solution);

/// The same for an environment that was materialized already.
Expected<void> verify(const matrix::Matrix& matrix, const Request& request, const Environment& environment);

}  // namespace envgen::api
