#include <CLI/CLI.hpp>

#include "cli/answer.hpp"
#include "cli/batch.hpp"
#include "cli/compiler.hpp"
#include "cli/format_option.hpp"
#include "cli/project_option.hpp"

namespace envgen::cli {
namespace {

struct ResolveOptions {
  RequestOptions request;
  std::string project;
  AnswerOptions answer;
  std::string batch;
};

Expected<Exit> run_resolve(const ResolveOptions& options, Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  if (!options.batch.empty()) return answer_batch(options.batch, *matrix);
  const auto project = read_named(options.project);
  if (!project) return tl::unexpected(project.error());
  auto request = request_of(options.request, options.project, *project, *matrix);
  if (request) request = with_compiler(std::move(*request), project->outputs.options);
  if (!request) return tl::unexpected(request.error());
  return answer_request(*request, options.answer, *matrix, context).map_error([&](Error error) {
    return of_project(std::move(error), options.project);
  });
}

}  // namespace

Action setup_resolve(CLI::App& app, Context& context) {
  auto options = std::make_shared<ResolveOptions>();
  add_request_options(app, options->request);
  add_project_option(app, options->project, "a project file to take the request from (default: none); flags override its values");
  add_format_option(app, context);
  app.add_flag("--all", options->answer.all, "every environment that fits, best first, one a line")->group("Output");
  app.add_flag("--explain", options->answer.explain, "also show what each requested value removed")
      ->excludes(app.get_option("--all"))
      ->group("Output");
  auto* batch = app.add_option("--batch", options->batch,
                               "answer a stream: one request object a line, one answer a line ('-' is standard input)")
                    ->check(refuse_empty)
                    ->type_name("FILE")
                    ->group("Output");
  for (auto* option : app.get_options()) {
    if (option != batch && option != app.get_help_ptr() && option->get_name() != "--format") batch->excludes(option);
  }
  return [options, &context] { return run_resolve(*options, context); };
}

}  // namespace envgen::cli
