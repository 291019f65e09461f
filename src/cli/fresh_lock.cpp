#include "cli/fresh_lock.hpp"

#include <algorithm>

#include "cli/answer.hpp"
#include "cli/project_option.hpp"
#include "cli/verified.hpp"
#include "resolver/resolver.hpp"

namespace envgen::cli {

Expected<std::variant<project::Lock, Exit>> fresh_lock(Request request, const std::string& project, const matrix::Matrix& matrix,
                                                       const Context& context, std::FILE* refusal_to) {
  // The same values give the same lock, in whatever order they were written.
  std::stable_sort(request.values.begin(), request.values.end(), [](const auto& a, const auto& b) { return a.field < b.field; });
  const auto query = resolver::interpret(matrix, request);
  if (!query) return tl::unexpected(of_project(query.error(), project));
  const auto answer = resolver::resolve(matrix, *query);
  const auto* solution = std::get_if<resolver::Solution>(&answer);
  if (solution == nullptr) {
    const auto exit = answer_request(request, {.to = refusal_to}, matrix, context);
    if (!exit) return tl::unexpected(exit.error());
    return *exit;
  }
  auto environment = verified(matrix, request, *query, *solution);
  if (!environment) return tl::unexpected(std::move(environment.error()));
  project::Lock lock;
  lock.matrix_revision = matrix->revision.view();
  lock.matrix_hash = matrix->hash.view();
  lock.request = std::move(request);
  lock.environment = std::move(*environment);
  return lock;
}

}  // namespace envgen::cli
