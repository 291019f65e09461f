#include "api/answer.hpp"

#include "answers/answer_json.hpp"
#include "answers/paragraph.hpp"
#include "api/usage.hpp"
#include "files/install_commands.hpp"
#include "resolver/changed.hpp"

namespace envgen::api {

Expected<resolver::Query> understood(const matrix::Matrix& matrix, const Request& request) {
  return resolver::interpret(matrix, request);
}

Expected<Answer> answer(const matrix::Matrix& matrix, Request request) {
  auto query = resolver::interpret(matrix, request);
  if (!query) return tl::unexpected(std::move(query.error()));
  auto found = resolver::resolve(matrix, *query);
  Answer answer{std::move(request), std::move(*query), std::move(found), std::nullopt};
  if (const auto* solution = std::get_if<resolver::Solution>(&answer.found)) {
    auto environment = verified(matrix, answer.request, answer.query, *solution);
    if (!environment) return tl::unexpected(std::move(environment.error()));
    answer.environment = std::move(*environment);
  }
  return answer;
}

std::string json(const matrix::Matrix& matrix, const Answer& answer, int indent, bool explain) {
  const answers::Explanation removals{answer.query,
                                      explain ? resolver::explain(matrix, answer.query) : std::vector<resolver::Removal>()};
  const auto* explanation = explain ? &removals : nullptr;
  if (!answer.environment) return answers::refusal_json(matrix, answer.request, answer.query, answer.found, indent, explanation);
  return answers::environment_json(matrix, answer.request, *answer.environment, files::install_commands(*answer.environment),
                                   indent, explanation);
}

std::string json(const matrix::Matrix& matrix, const Request& request, const Environment& environment) {
  return answers::environment_json(matrix, request, environment, files::install_commands(environment), 0);
}

namespace {

/// The whole answer, with the first `count` of `removals`.
std::string text_with(const std::vector<resolver::Removal>& removals, std::size_t count, const matrix::Matrix& matrix,
                      const Answer& answer, const util::Terminal& terminal, answers::Detail detail) {
  const auto removed = answers::removals_text(answer.query, removals, count, detail, terminal);
  if (detail.brief) detail.rows_above += answers::lines_on_screen(removed, terminal);
  const auto usage =
      usage_of(answer.request, answer.environment ? &*answer.environment : nullptr, resolver::nearest_of(answer.found));
  std::string text;
  if (answer.environment) {
    text = answers::environment_text(*answer.environment, usage, detail, terminal);
  } else if (const auto* conflict = std::get_if<resolver::Conflict>(&answer.found)) {
    text = answers::conflict_text(matrix, answer.query, *conflict, usage, detail, terminal);
  } else {
    text = answers::unknown_text(matrix, answer.query, std::get<resolver::Unknown>(answer.found), terminal);
  }
  text += removed;
  text += answers::layers_text(matrix, terminal);
  const bool unknown = !answer.environment && !answer.is_proof();  // says all that there is
  return text + answers::closing_text(usage, unknown ? answers::Detail{.reasons = true, .sources = true} : detail, terminal);
}

}  // namespace

std::string text(const matrix::Matrix& matrix, const Answer& answer, const util::Terminal& terminal, answers::Detail detail) {
  std::vector<resolver::Removal> removals;
  if (detail.reasons && !(detail.brief && answer.environment))
    removals = answers::shown_removals(resolver::explain(matrix, answer.query), detail);
  const auto with = [&](std::size_t count) { return text_with(removals, count, matrix, answer, terminal, detail); };
  if (!detail.brief) return with(removals.size());
  return answers::fitting(removals.size(), answers::left_of_screen(detail.rows_above), terminal, with);
}

Expected<bool> each_environment(const matrix::Matrix& matrix, const Request& request,
                                const std::function<bool(const Environment&)>& visit) {
  const auto query = resolver::interpret(matrix, request);
  if (!query) return tl::unexpected(query.error());
  Expected<bool> any = false;
  resolver::each_solution(matrix, *query, [&](const resolver::Solution& solution) {
    const auto environment = verified(matrix, request, *query, solution);
    if (!environment) {
      any = tl::unexpected(environment.error());
      return false;
    }
    any = true;
    return visit(*environment);
  });
  return any;
}

}  // namespace envgen::api
