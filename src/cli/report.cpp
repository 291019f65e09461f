#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/report_output.hpp"
#include "cli/request_options.hpp"
#include "model/spelling.hpp"
#include "reports/baseline.hpp"
#include "reports/diff.hpp"
#include "reports/parse.hpp"

namespace envgen::cli {
namespace {

struct ReportView {
  std::string_view name;
  std::string_view help;
  reports::Format format;
};
constexpr std::array report_views{
    ReportView{"html", "one self-contained page with charts", reports::Format::html},
    ReportView{"junit", "XML for CI systems", reports::Format::junit},
    ReportView{"markdown", "for a GitHub job summary", reports::Format::markdown},
    ReportView{"github", "GitHub Actions annotations; the Markdown goes to the file named by $GITHUB_STEP_SUMMARY",
               reports::Format::github},
    ReportView{"text", "as 'envgen validate' prints it", reports::Format::text},
};

struct ReportOptions {
  std::vector<std::string> extra;
  std::optional<reports::Format> format;
  bool compare = false;
  std::string report;
  std::string output;
  std::string before;
  std::string after;
  std::optional<double> tolerance;
};

Expected<Exit> show_report(const ReportOptions& options) {
  const auto saved = reports::read_report(options.report);
  if (!saved) return tl::unexpected(saved.error());
  ReportTargets targets;
  if (options.output.empty() || options.output == "-") {
    targets.shown = options.format;
  } else {
    std::error_code ignored;
    if (std::filesystem::equivalent(options.output, options.report, ignored))
      return fail(ErrorCode::usage, "this is the report itself, which would be overwritten", "--output");
    targets.files.push_back({options.output, *options.format});
  }
  return write_report(*saved, targets);
}

Expected<Exit> compare_reports(const ReportOptions& options, const Context& context) {
  const auto a = reports::read_report(options.before);
  if (!a) return tl::unexpected(a.error());
  const auto b = reports::read_report(options.after);
  if (!b) return tl::unexpected(b.error());
  const auto found = reports::diff(*a, *b, options.tolerance.value_or(reports::usual_tolerance));
  const auto text = context.json ? reports::diff_json(found, options.before, options.after)
                                 : reports::diff_text(found, options.before, options.after, util::Terminal::of_stdout());
  if (auto shown = written(text); !shown) return shown;
  return found.differs() ? Exit::differs : Exit::ok;
}

Error no_view(const ReportOptions& options) {
  const std::string tasks = "envgen report html|junit|markdown|github|text REPORT, or envgen report diff A B";
  if (options.extra.empty()) return {ErrorCode::usage, "a subcommand is missing", {}, {tasks}};
  std::vector<std::string_view> names{"diff"};
  for (const auto& one : report_views) names.push_back(one.name);
  auto hints = did_you_mean(options.extra.front(), names, 1);
  hints.push_back(tasks);
  return {ErrorCode::usage, fmt::format("unknown command {}", in_quotes(options.extra.front())), {}, std::move(hints)};
}

}  // namespace

Action setup_report(CLI::App& app, Context& context) {
  auto options = std::make_shared<ReportOptions>();
  app.require_subcommand(0, 1);
  app.add_option("task", options->extra, "")->group("");  // a word that is no task lands here
  for (const auto& one : report_views) {
    auto* view = app.add_subcommand(std::string(one.name), std::string(one.help));
    view->add_option("report", options->report, "the JSON of 'envgen validate' or envgen-bench")
        ->required()
        ->check(refuse_empty)
        ->type_name("FILE");
    view->add_option("-o,--output", options->output, "write to this file (default: -, standard output)")
        ->check(refuse_empty)
        ->type_name("FILE")
        ->group("Output");
    view->parse_complete_callback([options = options.get(), format = one.format] { options->format = format; });
  }
  auto* diff = app.add_subcommand("diff", "compare two reports: from two machines or two days");
  diff->add_option("first-report", options->before, "a report: A in the output")
      ->required()
      ->check(refuse_empty)
      ->type_name("FILE");
  diff->add_option("second-report", options->after, "the report to compare it with: B")
      ->required()
      ->check(refuse_empty)
      ->type_name("FILE");
  add_tolerance(*diff, options->tolerance);
  add_format(*diff, context);
  diff->footer(
      "Exit status: 0 if nothing differs; 9 if verdicts differ, or speeds differ by more than the tolerance; 4 if a report "
      "cannot be read.");
  diff->parse_complete_callback([options = options.get()] { options->compare = true; });
  return [options, &context]() -> Expected<Exit> {
    if (!options->extra.empty() && (options->compare || options->format))
      return fail(ErrorCode::usage, fmt::format("unexpected argument {}", in_quotes(options->extra.front())));
    if (options->compare) return compare_reports(*options, context);
    if (options->format) return show_report(*options);
    return tl::unexpected(no_view(*options));
  };
}

}  // namespace envgen::cli
