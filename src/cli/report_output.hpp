#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "reports/view.hpp"

namespace envgen::cli {

/// What the command line says of a report's files.
struct ReportOutput {
  std::size_t format = reports::format_names.size();  ///< `--format`, an index of the names; their number: not given
  std::vector<std::string> files;                     ///< `-o`, each; `-` is standard output
};

/// `--format` with all the views, which says what standard output gets, and `-o`, repeatable, whose files have the format that
/// their names end with.
void add_report_output(CLI::App& app, ReportOutput& output);
/// Errors are JSON then, too.
bool wants_json(const ReportOutput& output);

/// `--tolerance PERCENT`; not given: reports::usual_tolerance.
void add_tolerance(CLI::App& app, std::optional<double>& tolerance);

/// Where a report goes, and as what.
struct ReportTargets {
  struct File {
    std::string name;
    reports::Format format;
  };
  std::vector<File> files;
  std::optional<reports::Format> shown;  ///< on standard output; none: a line for each file that was written
  /// What standard output would have got, were it not in a file: it gets it where that cannot be written. None: nothing.
  std::optional<reports::Format> spared;
};
/// Errors (usage): a name that ends with no known format, unless it is the only one and `--format` is given; two of one file.
Expected<ReportTargets> targets_of(const ReportOutput& output);

/// Before a run whose report would be lost. Errors (bad_input): a file that cannot be written, the others in its hints.
Expected<void> check_writable(const ReportTargets& targets);

/// Writes all of them: a file that cannot be written takes none of the others with it. Where a target is of the format github,
/// the file that GITHUB_STEP_SUMMARY names gets the Markdown, too, behind what it holds.
/// Errors: the first that could not be written, the others in its hints.
Expected<Exit> write_report(const validate::Report& report, const ReportTargets& targets);

}  // namespace envgen::cli
