#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/escape.hpp"
#include "reports/speeds.hpp"
#include "reports/view.hpp"
#include "reports/wording.hpp"

namespace envgen::reports {
namespace {

using validate::Report;
using validate::Status;

std::string speed_table(const Report& report) {
  std::string text;
  for (const auto& speed : speeds(report)) {
    const auto gpu =
        speed.device ? fmt::format("{} {}", *speed.device, report.machine.name_of(speed.device)) : std::string("all");
    auto reference = speed.expected ? against_reference(speed) : std::string("none");
    if (!speed.excuse.empty()) reference += "; not compared: " + speed.excuse;
    text += fmt::format("| {} | {} | {} | {} |\n", escape_markdown(name_of(speed)), escape_markdown(gpu),
                        rate_text(speed.value, speed.unit), escape_markdown(reference));
  }
  if (text.empty()) return text;
  return "\n### Speeds\n\n| test | GPU | measured | reference |\n| --- | --- | --- | --- |\n" + text;
}

std::string diagnosis_text(const diagnosis::Diagnosis& known) {
  auto text = fmt::format("\n#### {} ({})\n\n{}\n\n{}\n", escape_markdown(known.title), known.id, escape_markdown(known.cause),
                          escape_markdown(known.fix));
  const auto commands = known.command_lines();
  if (commands.empty()) return text;
  text += "\n";
  for (const auto command : commands) text += fmt::format("    {}\n", command);
  return text;
}

}  // namespace

std::string markdown(const Report& report) {
  auto text = fmt::format("## {}: {}\n\n{}{}\n", program(report), escape_markdown(title(report)),
                          report.failed() ? "✗ **failed**: " : "✓ ", validate::summary(report));
  if (const auto notice = doubles_notice(report); !notice.empty()) text += fmt::format("\n> **{}**\n", escape_markdown(notice));
  text += "\n| | |\n| --- | --- |\n";
  for (const auto& [name, value] : facts(report))
    text += fmt::format("| {} | {} |\n", escape_markdown(name), escape_markdown(value));
  std::string rows;
  for (const auto& result : report.results) {
    if (result.status == Status::skip) continue;
    auto message = result.message;
    if (result.diagnosis != nullptr) message += fmt::format(" ({})", result.diagnosis->id);
    rows +=
        fmt::format("| {} | {} | {} |\n", mark(result.status), escape_markdown(name_of_row(result)), escape_markdown(message));
  }
  if (!rows.empty()) text += "\n| | check | result |\n| --- | --- | --- |\n" + rows;
  if (const auto known = diagnoses(report); !known.empty()) {
    text += "\n### How to fix it\n";
    for (const auto* one : known) text += diagnosis_text(*one);
  }
  text += speed_table(report);
  if (const auto reasons = not_made(report); !reasons.empty()) {
    text += "\n### Skipped\n\n";
    for (const auto& [reason, names] : reasons)
      text += fmt::format("- {}: {}\n", escape_markdown(reason), escape_markdown(fmt::format("{}", fmt::join(names, ", "))));
  }
  return text;
}

}  // namespace envgen::reports
