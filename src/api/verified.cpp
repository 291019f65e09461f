#include "api/answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/check.hpp"
#include "resolver/materialize.hpp"

namespace envgen::api {

Expected<Environment> verified(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                               const resolver::Solution& solution) {
  auto environment = resolver::materialize(matrix, query, solution);
  if (auto good = verify(matrix, request, environment); !good) return tl::unexpected(std::move(good.error()));
  return environment;
}

Expected<void> verify(const matrix::Matrix& matrix, const Request& request, const Environment& environment) {
  const auto violations = check::violations(matrix, request, environment);
  if (violations.empty()) return {};
  return fail(ErrorCode::internal,
              fmt::format("the independent check rejects this answer: {}; please report this bug", fmt::join(violations, "; ")));
}

}  // namespace envgen::api
