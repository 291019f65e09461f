#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "answers/facts.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/usage_error.hpp"

namespace envgen::cli {
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
  answers::GpuFilter filter;
  filter.classes = options.classes;
  filter.laptop = options.laptop;
  const auto sheet = answers::rank_gpus(*matrix, filter, options.metric, options.limit);
  if (context.json) return written(answers::sheet_json(sheet));
  const auto terminal = util::Terminal::of_stdout();
  auto text = answers::sheet_text(sheet, terminal);
  if (sheet.rows.empty()) return written(text);
  text += "\n";
  for (const auto note : {answers::metric_note(options.metric), std::string_view("* confirmed by a second source; ? unknown")}) {
    if (note.empty()) continue;
    for (const auto& line : util::wrap(note, terminal.width)) text += line + "\n";
  }
  return written(text);
}

}  // namespace

Action setup_gpus(CLI::App& app, Context& context) {
  auto options = std::make_shared<GpusOptions>();
  add_choice(app, "--rank", options->metric, answers::metric_names, "the metric to rank by (default: fp16)");
  add_choices(app, "--class", options->classes, answers::class_names, "GPUs of this class (repeatable)");
  app.add_flag("--laptop", options->laptop, "laptop GPUs only");
  app.add_option("--limit", options->limit, "show at most this many rows")
      ->type_name("N")
      ->check(number_within(1, 100'000, true));
  add_format(app, context);
  return [options, &context] { return run_gpus(*options, context); };
}

}  // namespace envgen::cli
