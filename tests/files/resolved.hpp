#pragma once

#include <string_view>

#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/request_text.hpp"

namespace envgen::test {

/// The environment of a request that has one: `torch=2.3 gpu=4090`.
inline Environment environment_of(std::string_view request) {
  const auto matrix = matrix::embedded();
  const auto query = resolver::interpret(matrix, request_of(request)).value();
  return resolver::materialize(matrix, query, resolver::find_best(matrix, query).value());
}

}  // namespace envgen::test
