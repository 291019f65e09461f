#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/report.hpp"
#include "reports/view.hpp"
#include "reports/wording.hpp"

namespace envgen::reports {
namespace {

constexpr std::size_t readable_width = 120;

std::string not_made_text(const validate::Report& report, std::size_t width) {
  std::string text;
  for (const auto& [reason, names] : not_made(report)) {
    for (const auto& line : util::wrap(fmt::format("{}: {}", reason, fmt::join(names, ", ")), width - 2, 2))
      text += "  " + line + "\n";
  }
  return text.empty() ? text : "\nSkipped\n" + text;
}

std::string diagnoses_text(const validate::Report& report, const util::Terminal& terminal) {
  std::vector<diagnosis::Finding> findings;
  for (const auto* known : diagnoses(report)) findings.push_back({known, {}});
  return findings.empty() ? std::string() : "\n" + diagnosis::findings_text(findings, terminal);
}

}  // namespace

std::string text(const validate::Report& report, const util::Terminal& terminal) {
  const auto width = terminal.width == 0 ? readable_width : std::min(terminal.width, readable_width);
  constexpr std::size_t usual_name = 14;
  constexpr std::size_t longest_name = 24;
  constexpr std::size_t least = 20;
  auto name_width = usual_name;
  for (const auto& result : report.results) {
    if (result.status != validate::Status::skip) name_width = std::max(name_width, name_of_row(result).size());
  }
  name_width = std::min(name_width, longest_name);
  const auto margin = name_width + 9;  // the verdict, and spaces between
  auto text = util::bold(fmt::format("{}: {}", title(report), validate::summary(report)), terminal) + "\n";
  if (const auto notice = doubles_notice(report); !notice.empty()) text += notice + "\n";
  text += "\n";
  for (const auto& result : report.results) {
    if (result.status == validate::Status::skip) continue;
    auto message = result.message;
    if (result.diagnosis != nullptr) message += fmt::format(" [{}]", result.diagnosis->id);
    std::string label = fmt::format("{:<7} {:<{}} ", name_of(result.status), name_of_row(result), name_width);
    for (const auto& line : util::wrap(message, std::max(width, margin + least) - margin)) {
      text += label + line + "\n";
      label = std::string(margin, ' ');
    }
  }
  return text + not_made_text(report, width) + diagnoses_text(report, terminal);
}

}  // namespace envgen::reports
