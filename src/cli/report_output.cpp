#include "cli/report_output.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/request_options.hpp"
#include "cli/usage_error.hpp"
#include "model/spelling.hpp"
#include "util/files.hpp"

namespace envgen::cli {
namespace {

/// GitHub shows what a step appends to this file.
Expected<void> append_summary(const validate::Report& report) {
  const char* name = std::getenv("GITHUB_STEP_SUMMARY");
  if (name == nullptr || *name == '\0') return {};
  std::ofstream file(name, std::ios::binary | std::ios::app);
  file << reports::view(report, reports::Format::markdown, {});
  file.close();
  if (!file) return fail(ErrorCode::bad_input, fmt::format("cannot append to {}", in_quotes(name)), "GITHUB_STEP_SUMMARY");
  return {};
}

tl::unexpected<Error> first_of(std::vector<Error> errors) {
  auto first = std::move(errors.front());
  for (std::size_t i = 1; i < errors.size(); ++i)
    first.hints.push_back(fmt::format("{}: {}", in_one_line(errors[i].origin), errors[i].message));
  return tl::unexpected(std::move(first));
}

}  // namespace

void add_report_output(CLI::App& app, ReportOutput& output) {
  add_choice(app, "--format", output.format, reports::format_names, "the format of standard output");
  app.get_option("--format")->group("Output");
  add_json(app, [&output] { output.format = static_cast<std::size_t>(reports::Format::json); });
  app.add_option(
         "-o,--output", output.files,
         "write the report to this file, in the format given by its suffix: .txt, .json, .xml (JUnit), .md, .html (repeatable)")
      ->check(refuse_empty)
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group("Output");
}

bool wants_json(const ReportOutput& output) { return output.format == static_cast<std::size_t>(reports::Format::json); }

void add_tolerance(CLI::App& app, std::optional<double>& tolerance) {
  constexpr double most = 99;
  app.add_option("--tolerance", tolerance, "how much performance may drop (default: 10)")
      ->check(number_within(0, most, false))
      ->type_name("PERCENT");
}

Expected<ReportTargets> targets_of(const ReportOutput& output) {
  using reports::Format;
  std::optional<Format> wanted;
  if (output.format < reports::format_names.size()) wanted = static_cast<Format>(output.format);
  ReportTargets targets;
  bool to_stdout = output.files.empty();
  std::vector<std::filesystem::path> seen;
  for (const auto& name : output.files) {
    const bool is_stdout = name == "-";
    std::error_code ignored;
    const auto path = is_stdout ? std::filesystem::path(name)
                                : std::filesystem::weakly_canonical(std::filesystem::absolute(name, ignored), ignored);
    if (std::find(seen.begin(), seen.end(), path) != seen.end())
      return fail(ErrorCode::usage, fmt::format("{} is given twice", in_quotes(name)), "--output");
    seen.push_back(path);
    to_stdout = to_stdout || is_stdout;
    if (is_stdout) continue;
    auto format = reports::format_of_file(name);
    if (!format && output.files.size() == 1) format = wanted;
    if (!format)
      return fail(ErrorCode::usage, fmt::format("{} has no known file extension", in_quotes(name)), "--output",
                  {"end it in .txt, .json, .xml (JUnit), .md or .html",
                   fmt::format("or set a single file's format with --format {}", fmt::join(reports::format_names, "|"))});
    targets.files.push_back({name, *format});
  }
  // What failed is seen in a job's log, whatever files hold; but a view that was asked for and is in a file is not shown, too.
  const auto has_it = [&](const ReportTargets::File& file) { return file.format == wanted.value_or(Format::text); };
  if (std::none_of(targets.files.begin(), targets.files.end(), has_it)) to_stdout = true;
  (to_stdout ? targets.shown : targets.spared) = wanted.value_or(Format::text);
  return targets;
}

Expected<void> check_writable(const ReportTargets& targets) {
  std::vector<Error> errors;
  for (const auto& file : targets.files) {
    if (auto checked = util::check_writable(file.name); !checked) errors.push_back(std::move(checked.error()));
  }
  if (!errors.empty()) return first_of(std::move(errors));
  return {};
}

Expected<Exit> write_report(const validate::Report& report, const ReportTargets& targets) {
  std::vector<Error> errors;
  std::string lines;
  auto shown = targets.shown;
  bool annotates = shown == reports::Format::github;
  for (const auto& [name, format] : targets.files) {
    annotates = annotates || format == reports::Format::github;
    if (auto wrote = util::write_file(name, reports::view(report, format, {})); !wrote) {
      errors.push_back(wrote.error());
      if (!shown && targets.spared == format) shown = format;
    } else {
      lines += fmt::format("wrote {}: {}\n", in_one_line(name), validate::summary(report));
    }
  }
  if (annotates) {
    if (auto appended = append_summary(report); !appended) errors.push_back(appended.error());
  }
  if (shown && !lines.empty()) print(lines, stderr);
  // A view obeys its own rules of what may stand in a log, and the annotations are commands.
  const auto said = shown ? written_as_it_is(reports::view(report, *shown, util::Terminal::of_stdout())) : written(lines);
  if (!said) errors.push_back(said.error());
  if (!errors.empty()) return first_of(std::move(errors));
  return Exit::ok;
}

}  // namespace envgen::cli
