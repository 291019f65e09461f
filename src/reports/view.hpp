#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "util/table.hpp"
#include "validate/report.hpp"

/// A report as people and programs read it. Every view is a function of the report alone, and reads no clock: what is made of a
/// saved report is what the run itself would have written.
namespace envgen::reports {

enum class Format : unsigned char { text, json, junit, github, markdown, html };
inline constexpr std::array<std::string_view, 6> format_names{"text", "json", "junit", "github", "markdown", "html"};
/// That of a file by the end of its name: .txt, .json, .xml, .md, .html. None: it says nothing.
std::optional<Format> format_of_file(std::string_view name);

/// `terminal` is for text, which has no limit of its own width in a file.
std::string view(const validate::Report& report, Format format, const util::Terminal& terminal);

std::string text(const validate::Report& report, const util::Terminal& terminal);
/// schema/validate.schema.json
std::string json(const validate::Report& report);
/// XML of testsuites, testsuite and testcase, as CI systems read it. A warning is a test that passed, with output; what was not
/// made, and what was and proves nothing, is skipped.
std::string junit(const validate::Report& report);
/// Workflow commands of GitHub Actions, one a line: what failed as errors, warnings, and what is unknown as notices.
std::string github(const validate::Report& report);
/// GitHub's Markdown, as a job's summary takes it.
std::string markdown(const validate::Report& report);
/// One page that loads nothing and runs no script.
std::string html(const validate::Report& report);

}  // namespace envgen::reports
