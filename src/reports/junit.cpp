#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/escape.hpp"
#include "reports/view.hpp"
#include "reports/wording.hpp"

namespace envgen::reports {
namespace {

using validate::Result;
using validate::Status;

/// What failed, with its fix where that is known.
std::string failure_text(const Result& result) {
  auto text = result.message + "\n";
  if (const auto* known = result.diagnosis; known != nullptr) {
    text += fmt::format("\n{}\ncause: {}\nfix: {}\n", known->title, known->cause, known->fix);
    for (const auto command : known->command_lines()) text += fmt::format("  {}\n", command);
  }
  return text;
}

std::string outcome(const Result& result) {
  const auto message = escape_markup(result.message);
  switch (result.status) {
    case Status::fail:
      return fmt::format("      <failure message=\"{}\" type=\"{}\">{}</failure>\n", message,
                         result.diagnosis == nullptr ? "failed" : result.diagnosis->id, escape_markup(failure_text(result)));
    case Status::skip:
      return fmt::format("      <skipped message=\"{}\"/>\n", message);
    case Status::unknown:
      return fmt::format("      <skipped message=\"unknown: {}\"/>\n", message);
    case Status::warn:
      return fmt::format("      <system-out>warning: {}</system-out>\n", message);
    case Status::pass:
      break;
  }
  return fmt::format("      <system-out>{}</system-out>\n", message);
}

/// As xs:dateTime of the schemas in use has it, without a zone.
std::string timestamp(const std::string& started) {
  auto time = started;
  if (time.ends_with('Z')) time.pop_back();
  return time.empty() ? time : fmt::format(" timestamp=\"{}\"", escape_markup(time));
}

}  // namespace

std::string junit(const validate::Report& report) {
  const auto counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"", report.results.size(),
                  report.count(Status::fail), report.count(Status::skip) + report.count(Status::unknown), report.seconds);
  const auto class_name = report.image.empty() ? "envgen.bench" : "envgen.validate";
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"{}\" {}>\n", program(report), counts);
  text += fmt::format("  <testsuite name=\"{}\" {}{}>\n    <properties>\n", escape_markup(title(report)), counts,
                      timestamp(report.started));
  for (const auto& [name, value] : facts(report))
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", escape_markup(name), escape_markup(value));
  if (!report.doubles.empty())
    text += fmt::format("      <property name=\"test doubles\" value=\"{}\"/>\n",
                        escape_markup(fmt::format("{}", fmt::join(report.doubles, ", "))));
  text += "    </properties>\n";
  for (const auto& result : report.results) {
    text += fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n{}    </testcase>\n", class_name,
                        escape_markup(name_of_row(result)), outcome(result));
  }
  if (const auto notice = doubles_notice(report); !notice.empty())
    text += fmt::format("    <system-out>{}</system-out>\n", escape_markup(notice));
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace envgen::reports
