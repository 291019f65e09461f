#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/request_options.hpp"
#include "render/answer_json.hpp"
#include "render/answer_text.hpp"
#include "resolver/resolver.hpp"

namespace envgen::cli {
namespace {

struct ResolveOptions {
  RequestOptions request;
  bool all = false;
  bool explain = false;
};

constexpr int json_indent = 2;

Exit exit_of(const resolver::Answer& answer) {
  if (std::holds_alternative<resolver::Solution>(answer)) return Exit::ok;
  return std::holds_alternative<resolver::Conflict>(answer) ? Exit::conflict : Exit::unknown;
}

Expected<Exit> written(bool printed, Exit exit) {
  if (!printed) return fail(ErrorCode::internal, "cannot write to standard output");
  return exit;
}

Expected<Exit> print_all(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query, bool json) {
  bool good = true;
  bool any = false;
  resolver::each_solution(matrix, query, [&](const resolver::Solution& solution) {
    any = true;
    const auto environment = resolver::materialize(matrix, query, solution);
    good = print((json ? render::environment_json(matrix, request, environment, 0) : render::environment_line(environment)) + "\n");
    return good;
  });
  if (any) return written(good, Exit::ok);
  const auto answer = resolver::resolve(matrix, query);
  return written(print(render::answer_json(matrix, request, query, answer, 0) + "\n"), exit_of(answer));
}

Expected<Exit> run_resolve(const ResolveOptions& options, Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  auto request = make_request(options.request, {}, *matrix);
  if (!request) return tl::unexpected(request.error());
  const auto query = resolver::interpret(*matrix, *request);
  if (!query) return tl::unexpected(query.error());
  if (options.all) return print_all(*matrix, *request, *query, context.json);

  const auto answer = resolver::resolve(*matrix, *query);
  if (context.json) return written(print(render::answer_json(*matrix, *request, *query, answer, json_indent) + "\n"), exit_of(answer));

  const auto terminal = util::Terminal::of_stdout();
  std::string text;
  if (const auto* solution = std::get_if<resolver::Solution>(&answer)) {
    text = render::environment_text(resolver::materialize(*matrix, *query, *solution), terminal);
  } else if (const auto* conflict = std::get_if<resolver::Conflict>(&answer)) {
    text = render::conflict_text(*matrix, *query, *conflict, terminal);
  } else {
    text = render::unknown_text(std::get<resolver::Unknown>(answer), terminal);
  }
  if (options.explain) text += render::removals_text(*query, resolver::explain(*matrix, *query), terminal);
  return written(print(text), exit_of(answer));
}

}  // namespace

Action setup_resolve(CLI::App& app, Context& context) {
  auto options = std::make_shared<ResolveOptions>();
  add_request_options(app, options->request);
  app.add_option_function<std::string>("--format", [&context](const std::string& text) { context.json = text == "json"; }, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("NAME")
      ->group("Output");
  app.add_flag("--all", options->all, "every environment that fits, best first, one a line")->group("Output");
  app.add_flag("--explain", options->explain, "also show what each requested value removed")->group("Output");
  return [options, &context] { return run_resolve(*options, context); };
}

}  // namespace envgen::cli
