#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "render/facts.hpp"

namespace envgen::cli {

Action setup_gpus(CLI::App& app, Context& context);

namespace {

struct GpusOptions {
  std::size_t metric = 0;
  std::vector<std::size_t> classes;
  std::size_t limit = std::numeric_limits<std::size_t>::max();
  bool laptop = false;
};

Expected<Exit> run_gpus(const GpusOptions& options, Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  render::GpuFilter filter;
  filter.classes = options.classes;
  filter.laptop = options.laptop;
  const auto sheet = render::rank_gpus(*matrix, filter, options.metric, options.limit);
  if (context.json) return written(render::sheet_json(sheet));
  auto text = render::sheet_text(sheet, util::Terminal::of_stdout());
  if (!sheet.rows.empty())
    text += fmt::format("\n{}* confirmed by a second source; ? nobody read it\n", render::metric_note(options.metric));
  return written(text);
}

}  // namespace

Action setup_gpus(CLI::App& app, Context& context) {
  auto options = std::make_shared<GpusOptions>();
  add_choice(app, "--rank", options->metric, render::metric_names, "the figure to rank by; fp16 by default");
  add_choices(app, "--class", options->classes, render::class_names, "boards of this class (repeatable)");
  app.add_flag("--laptop", options->laptop, "laptop boards only");
  app.add_option("--limit", options->limit, "at most so many rows")->type_name("N")->check(CLI::PositiveNumber);
  add_format(app, context);
  return [options, &context] { return run_gpus(*options, context); };
}

}  // namespace envgen::cli
