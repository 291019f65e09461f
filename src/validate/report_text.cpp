#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/report.hpp"
#include "validate/report.hpp"

namespace envgen::validate {
namespace {

constexpr std::size_t readable_width = 120;

std::string name_of_row(const Result& result) {
  return result.device ? fmt::format("{}/{}", result.check, *result.device) : result.check;
}

/// Checks that were not made for the same reason are told together.
std::string not_made(const Report& report, std::size_t width) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const auto& result : report.results) {
    if (result.status != Status::skip) continue;
    auto found = std::find_if(reasons.begin(), reasons.end(), [&](const auto& one) { return one.first == result.message; });
    if (found == reasons.end()) found = reasons.insert(reasons.end(), {result.message, {}});
    found->second.push_back(name_of_row(result));
  }
  std::string text;
  for (const auto& [reason, names] : reasons) {
    for (const auto& line : util::wrap(fmt::format("{}: {}", reason, fmt::join(names, ", ")), width - 2, 2))
      text += "  " + line + "\n";
  }
  return text.empty() ? text : "\nNot made\n" + text;
}

std::string diagnoses(const Report& report, const util::Terminal& terminal) {
  std::vector<diagnosis::Finding> findings;
  for (const auto& result : report.results) {
    if (result.diagnosis == nullptr) continue;
    const auto known = [&](const diagnosis::Finding& finding) { return finding.diagnosis == result.diagnosis; };
    if (std::none_of(findings.begin(), findings.end(), known)) findings.push_back({result.diagnosis, {}});
  }
  return findings.empty() ? std::string() : "\n" + diagnosis::findings_text(findings, terminal);
}

}  // namespace

std::string summary(const Report& report) {
  return fmt::format("{} passed, {} failed, {} warned, {} unknown, {} not made", report.count(Status::pass),
                     report.count(Status::fail), report.count(Status::warn), report.count(Status::unknown),
                     report.count(Status::skip));
}

std::string report_text(const Report& report, const util::Terminal& terminal) {
  const auto width = terminal.width == 0 ? readable_width : std::min(terminal.width, readable_width);
  constexpr std::size_t margin = 25;
  constexpr std::size_t least = 20;
  auto text = util::bold(fmt::format("{}: {}", report.image, summary(report)), terminal) + "\n";
  if (!report.doubles.empty())
    text += fmt::format("Test doubles stood in for {}: this says nothing about a GPU.\n", fmt::join(report.doubles, ", "));
  text += "\n";
  for (const auto& result : report.results) {
    if (result.status == Status::skip) continue;
    auto message = result.message;
    if (result.diagnosis != nullptr) message += fmt::format(" [{}]", result.diagnosis->id);
    std::string label = fmt::format("{:<7} {:<16} ", name_of(result.status), name_of_row(result));
    for (const auto& line : util::wrap(message, width > margin + least ? width - margin : least)) {
      text += label + line + "\n";
      label = std::string(margin, ' ');
    }
  }
  return text + not_made(report, width) + diagnoses(report, terminal);
}

}  // namespace envgen::validate
