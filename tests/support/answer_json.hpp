#pragma once

#include <string>
#include <variant>

#include "answers/answer_json.hpp"
#include "resolver/materialize.hpp"

namespace envgen::test {

/// Any answer as the tool prints it, less the independent check that stands before an environment there.
inline std::string answer_json(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                               const resolver::Resolution& answer, int indent) {
  const auto* solution = std::get_if<resolver::Solution>(&answer);
  if (solution == nullptr) return answers::refusal_json(matrix, request, query, answer, indent);
  return answers::environment_json(matrix, request, resolver::materialize(matrix, query, *solution), {}, indent);
}

}  // namespace envgen::test
