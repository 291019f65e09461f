#include <CLI/CLI.hpp>

#include "cli/answer.hpp"
#include "cli/format_option.hpp"
#include "cli/request_options.hpp"

namespace envgen::cli {
namespace {

struct ResolveOptions {
  RequestOptions request;
  AnswerOptions answer;
};

Expected<Exit> run_resolve(const ResolveOptions& options, Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  auto request = make_request(options.request, {}, *matrix);
  if (!request) return tl::unexpected(request.error());
  return answer_request(*request, options.answer, *matrix, context);
}

}  // namespace

Action setup_resolve(CLI::App& app, Context& context) {
  auto options = std::make_shared<ResolveOptions>();
  add_request_options(app, options->request);
  add_format_option(app, context);
  app.add_flag("--all", options->answer.all, "every environment that fits, best first, one a line")->group("Output");
  app.add_flag("--explain", options->answer.explain, "also show what each requested value removed")->group("Output");
  return [options, &context] { return run_resolve(*options, context); };
}

}  // namespace envgen::cli
