#include "cli/answer.hpp"

#include "cli/verified.hpp"
#include "render/answer_json.hpp"
#include "render/answer_text.hpp"
#include "resolver/resolver.hpp"

namespace envgen::cli {
namespace {

constexpr int json_indent = 2;

Exit exit_of(const resolver::Answer& answer) {
  if (std::holds_alternative<resolver::Solution>(answer)) return Exit::ok;
  return std::holds_alternative<resolver::Conflict>(answer) ? Exit::conflict : Exit::unknown;
}

Expected<Exit> ended(bool printed, Exit exit) {
  if (!printed) return fail(ErrorCode::internal, "cannot write to standard output");
  return exit;
}

/// What is shown where there is no environment.
std::string refusal_text(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Answer& answer,
                         const util::Terminal& terminal) {
  if (const auto* conflict = std::get_if<resolver::Conflict>(&answer))
    return render::conflict_text(matrix, query, *conflict, terminal);
  return render::unknown_text(matrix, query, std::get<resolver::Unknown>(answer), terminal);
}

/// `--all`. Zero environments are answered as one: with the proof, or the missing fact.
Expected<Exit> answer_all(const Request& request, const resolver::Query& query, const matrix::Matrix& matrix,
                          const Context& context) {
  bool good = true;
  bool any = false;
  Expected<void> right;
  resolver::each_solution(matrix, query, [&](const resolver::Solution& solution) {
    any = true;
    const auto environment = verified(matrix, request, query, solution);
    if (!environment) {
      right = tl::unexpected(environment.error());
      return false;
    }
    good = print(
        (context.json ? render::environment_json(matrix, request, *environment, 0) : render::environment_line(*environment)) +
        "\n");
    return good;
  });
  if (!right) return tl::unexpected(right.error());
  if (any) return ended(good, Exit::ok);
  const auto answer = resolver::resolve(matrix, query);
  const auto text = context.json ? render::refusal_json(matrix, request, query, answer, 0) + "\n"
                                 : refusal_text(matrix, query, answer, util::Terminal::of_stdout());
  return ended(print(text), exit_of(answer));
}

}  // namespace

Expected<Exit> answer_request(const Request& request, const AnswerOptions& options, const matrix::Matrix& matrix,
                              const Context& context) {
  const auto query = resolver::interpret(matrix, request);
  if (!query) return tl::unexpected(query.error());
  if (options.all) return answer_all(request, *query, matrix, context);
  const auto answer = resolver::resolve(matrix, *query);
  std::optional<Environment> environment;
  if (const auto* solution = std::get_if<resolver::Solution>(&answer)) {
    auto right = verified(matrix, request, *query, *solution);
    if (!right) return tl::unexpected(std::move(right.error()));
    environment = std::move(*right);
  }
  const render::Explanation explanation{*query,
                                        options.explain ? resolver::explain(matrix, *query) : std::vector<resolver::Removal>{}};
  if (context.json) {
    const auto* explained = options.explain ? &explanation : nullptr;
    const auto json = environment ? render::environment_json(matrix, request, *environment, json_indent, explained)
                                  : render::refusal_json(matrix, request, *query, answer, json_indent, explained);
    return ended(print(json + "\n"), exit_of(answer));
  }
  const auto terminal = options.to == stdout ? util::Terminal::of_stdout() : util::Terminal();
  auto text = environment ? render::environment_text(*environment, terminal) : refusal_text(matrix, *query, answer, terminal);
  if (options.explain) text += render::removals_text(explanation.query, explanation.removals, terminal);
  return ended(print(text, options.to), exit_of(answer));
}

}  // namespace envgen::cli
