#pragma once

#include "resolver/query.hpp"

namespace envgen::property {

/// True of a value that asks for another kind of environment than the defaults would, so that the request without it is not a
/// wider one: src/resolver/README.md, "Defaults make this subtle". `index` counts the values of the query's request.
bool moves_a_default(const matrix::Matrix& matrix, const resolver::Query& query, std::size_t index);

}  // namespace envgen::property
