#include "cli/answer.hpp"

#include "answers/headline.hpp"
#include "cli/choice_options.hpp"
#include "cli/project_option.hpp"

namespace envgen::cli {
namespace {

constexpr int json_indent = 2;

Exit exit_of(const api::Answer& answer) {
  if (answer.environment) return Exit::ok;
  return answer.is_proof() ? Exit::conflict : Exit::unknown;
}

/// Whether only the GPU of the image that compiles a package stands in the way: `--multi-stage` compiles in one that is never
/// run.
bool has_environment_in_stages(Request request, const matrix::Matrix& matrix) {
  const auto* variant = request.find(Field::variant);
  if (variant == nullptr || variant->origin != Origin::compiler || !request.start_image_runs) return false;
  request.start_image_runs = false;
  const auto answer = api::answer_to_lock(matrix, std::move(request));
  return answer && answer->environment;
}

}  // namespace

Expected<Exit> show(const api::Answer& answer, const AnswerOptions& options, const matrix::Matrix& matrix,
                    const Context& context) {
  if (context.json) return ended(print(api::json(matrix, answer, json_indent, options.detail.reasons) + "\n"), exit_of(answer));
  const auto terminal = options.to == stdout ? util::Terminal::of_stdout() : util::Terminal();
  auto detail = options.detail;
  detail.rows_above = rows_of_the_notes();
  return ended(print(api::text(matrix, answer, terminal, detail), options.to), exit_of(answer));
}

Expected<Exit> show_all(const Request& request, const matrix::Matrix& matrix, const Context& context) {
  bool good = true;
  const auto any = api::each_environment(matrix, request, [&](const Environment& environment) {
    good = print((context.json ? api::json(matrix, request, environment) : answers::environment_line(environment)) + "\n");
    return good;
  });
  if (!any) return tl::unexpected(any.error());
  if (*any) return ended(good, Exit::ok);
  const auto answer = api::answer(matrix, request);
  if (!answer) return tl::unexpected(answer.error());
  const auto text = context.json ? api::json(matrix, *answer, 0) + "\n" : api::text(matrix, *answer, util::Terminal::of_stdout());
  return ended(print(text), exit_of(*answer));
}

Expected<std::variant<project::Lock, Exit>> fresh_lock(Request request, const std::string& project, const matrix::Matrix& matrix,
                                                       const Context& context, std::FILE* refusal_to) {
  auto answer = api::answer_to_lock(matrix, std::move(request));
  if (!answer) return tl::unexpected(of_project(std::move(answer.error()), project));
  if (answer->environment) return api::lock_of(matrix, std::move(*answer));
  const auto exit = show(*answer, {.to = refusal_to}, matrix, context);
  if (!exit) return tl::unexpected(exit.error());
  if (has_environment_in_stages(std::move(answer->request), matrix))
    note("with --multi-stage there is one: its devel image only compiles, without a GPU, so nothing checks the driver");
  return *exit;
}

}  // namespace envgen::cli
