#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/batch.hpp"
#include "cli/answer.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/project_option.hpp"
#include "project/project_file.hpp"

namespace envgen::cli {
namespace {

struct ResolveOptions {
  RequestOptions request;
  std::string project;
  bool all = false;
  bool explain = false;
  bool sources = false;
  std::string batch;
};

/// Answers the requests of `file` (`-`: standard input). Exit 2 where one was not understood.
Expected<Exit> answer_batch(const std::string& file, const matrix::Matrix& matrix) {
  std::ifstream opened;
  if (file == "-") {
    std::ios::sync_with_stdio(false);  // so that what waits in the pipe can be seen
  } else {
    opened.open(file);
    if (!opened) return fail(ErrorCode::bad_input, fmt::format("cannot open the file ({})", std::strerror(errno)), file);
  }
  const auto all_understood = api::answer_stream(file == "-" ? std::cin : opened, file == "-" ? "standard input" : file, matrix,
                                                 [](const std::string& text) { return written(text).map([](Exit) {}); });
  if (!all_understood) return tl::unexpected(all_understood.error());
  return *all_understood ? Exit::ok : Exit::usage;
}

Expected<Exit> run_resolve(const ResolveOptions& options, Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  if (!options.batch.empty()) return answer_batch(options.batch, *matrix);
  const auto project = read_named(options.project);
  if (!project) return tl::unexpected(project.error());
  auto request = request_to_resolve(options.request, options.project, *project, *matrix);
  if (!request) return tl::unexpected(request.error());
  if (options.all)
    return show_all(*request, *matrix, context).map_error([&](Error error) {
      return of_project(std::move(error), options.project);
    });
  const auto answer = api::answer(*matrix, std::move(*request));
  if (!answer) return tl::unexpected(of_project(answer.error(), options.project));
  // The next command that the answer names is 'render', which takes the project of its folder into account.
  std::error_code ignored;
  if (answer->environment && options.project.empty() && !context.json &&
      std::filesystem::exists(project::project_file_name, ignored))
    note("this answer ignores the envgen.json in this folder; --project envgen.json applies it, as 'render' and 'lock' do");
  return show(*answer, {.detail = {.reasons = options.explain, .sources = options.sources}}, *matrix, context);
}

}  // namespace

Action setup_resolve(CLI::App& app, Context& context) {
  auto options = std::make_shared<ResolveOptions>();
  add_request_options(app, options->request);
  add_project_option(app, options->project, "a project file to take the request from (default: none); flags override its values");
  add_format(app, context);
  app.add_flag("--all", options->all, "every environment that satisfies the request, best first, one per line")->group("Output");
  app.add_flag("--explain", options->explain, "show why each value was chosen, and which builds each requested value ruled out")
      ->excludes(app.get_option("--all"))
      ->group("Output");
  app.add_flag("--sources", options->sources, "show the source of each fact")->excludes(app.get_option("--all"))->group("Output");
  auto* batch =
      app.add_option("--batch", options->batch,
                     "answer a stream of requests: one JSON object per line, one answer per line ('-' is standard input)")
          ->check(refuse_empty)
          ->type_name("FILE")
          ->group("Output");
  for (auto* option : app.get_options()) {
    if (option != batch && option != app.get_help_ptr() && option->get_name() != "--format") batch->excludes(option);
  }
  return [options, &context] { return run_resolve(*options, context); };
}

}  // namespace envgen::cli
