#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "answers/facts.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "matrix/lint.hpp"
#include "model/spelling.hpp"

namespace envgen::cli {
namespace {

enum class Task : std::uint8_t { none, lint, info };

struct MatrixOptions {
  Task task = Task::none;
  std::vector<std::string> folders;
  std::vector<std::string> extra;
};

Expected<Exit> run_lint(const MatrixOptions& options, Context& context) {
  const auto& folders = options.folders.empty() ? context.matrix_folders : options.folders;
  if (folders.empty())
    return fail(ErrorCode::usage, "the built-in matrix has no files to check: name a folder", "matrix lint",
                {"envgen matrix lint DIR", "envgen --matrix DIR matrix lint"});
  const auto problems = matrix::lint({folders.begin(), folders.end()});
  if (!problems) return tl::unexpected(problems.error());
  auto printed = written(context.json ? answers::problems_json(*problems) : answers::problems_text(*problems));
  if (!printed) return printed;
  if (!context.json)
    note(problems->empty()       ? fmt::format("nothing to find fault with in {}", fmt::join(folders, ", "))
         : problems->size() == 1 ? "1 finding"
                                 : fmt::format("{} findings", problems->size()));
  return problems->empty() ? Exit::ok : Exit::differs;
}

Expected<Exit> run_info(Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  const auto card =
      answers::show_matrix(*matrix, context.matrix_folders.empty() ? std::string("built in")
                                                                   : fmt::format("{}", fmt::join(context.matrix_folders, ", ")));
  return written(context.json ? answers::card_json(card, **matrix)
                              : answers::card_text(card, **matrix, util::Terminal::of_stdout()));
}

Error no_task(const MatrixOptions& options) {
  constexpr std::array<std::string_view, 2> tasks{"lint", "info"};
  if (options.extra.empty()) return {ErrorCode::usage, "what shall be done with the matrix?", {}, {"envgen matrix lint|info"}};
  auto hints = did_you_mean(options.extra.front(), tasks, 1);
  hints.emplace_back("envgen matrix lint|info");
  return {
      ErrorCode::usage, fmt::format("{} is nothing that 'matrix' does", in_quotes(options.extra.front())), {}, std::move(hints)};
}

}  // namespace

Action setup_matrix(CLI::App& app, Context& context) {
  auto options = std::make_shared<MatrixOptions>();
  app.require_subcommand(0, 1);
  app.add_option("task", options->extra, "")->group("");  // a word that is no task lands here
  auto* lint = app.add_subcommand("lint", "Find what is wrong with matrix files, naming file and JSON pointer");
  lint->add_option("DIR", options->folders, "folders of matrix files, later ones over earlier ones; without it those of --matrix")
      ->type_name("");
  lint->parse_complete_callback([options = options.get()] { options->task = Task::lint; });
  add_format(*lint, context);
  auto* info = app.add_subcommand("info", "Revision, date and size of the facts in use");
  info->parse_complete_callback([options = options.get()] { options->task = Task::info; });
  add_format(*info, context);
  return [options, &context]() -> Expected<Exit> {
    switch (options->task) {
      case Task::lint:
        return run_lint(*options, context);
      case Task::info:
        return run_info(context);
      case Task::none:
        break;
    }
    return tl::unexpected(no_task(*options));
  };
}

}  // namespace envgen::cli
