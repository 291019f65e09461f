#include "diagnosis/report.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace envgen::diagnosis {
namespace {

constexpr std::size_t readable_width = 100;  // lines of prose are kept to this, whatever the terminal
constexpr std::size_t label_width = 7;

std::size_t prose_width(const util::Terminal& terminal) {
  return terminal.width == 0 ? readable_width : std::min(terminal.width, readable_width);
}

/// `  Cause   text`, and what does not fit below it.
std::string labelled(std::string_view label, std::string_view text, const util::Terminal& terminal) {
  constexpr std::size_t margin = label_width + 3;
  constexpr std::size_t least = 20;
  const auto width = prose_width(terminal);
  std::string result;
  for (const auto& line : util::wrap(text, width > margin + least ? width - margin : least)) {
    result += "  " + util::dim(fmt::format("{:<{}} ", result.empty() ? label : "", label_width), terminal) + line + "\n";
  }
  return result;
}

std::string title_of(const Diagnosis& diagnosis, const util::Terminal& terminal) {
  std::string result;
  for (const auto& line : util::wrap(fmt::format("{}: {}", diagnosis.id, diagnosis.title), prose_width(terminal), 2))
    result += util::bold(line, terminal) + "\n";
  return result;
}

/// Without its title. Commands stay whole, whatever the width: they are to be copied.
std::string body_of(const Diagnosis& diagnosis, const util::Terminal& terminal) {
  auto result = labelled("cause", diagnosis.cause, terminal) + labelled("fix", diagnosis.fix, terminal);
  std::string_view label = "run";
  for (const auto command : diagnosis.command_lines()) {
    result += "  " + util::dim(fmt::format("{:<{}} ", label, label_width), terminal) + std::string(command) + "\n";
    label = {};
  }
  return result + labelled("source", fmt::format("{} ({})", diagnosis.source, name_of(diagnosis.proof)), terminal);
}

}  // namespace

std::string findings_text(const std::vector<Finding>& findings, const util::Terminal& terminal) {
  std::string result;
  for (const auto& finding : findings) {
    if (!result.empty()) result += "\n";
    result += title_of(*finding.diagnosis, terminal);
    if (finding.evidence.line > 0)
      result += labelled(fmt::format("line {}", finding.evidence.line), finding.evidence.text, terminal);
    result += body_of(*finding.diagnosis, terminal);
  }
  return result;
}

void write_finding(util::JsonWriter& json, const Finding& finding) {
  const auto& diagnosis = *finding.diagnosis;
  json.begin_object().member("id", diagnosis.id).member("title", diagnosis.title);
  json.member("cause", diagnosis.cause).member("fix", diagnosis.fix).key("commands").begin_array();
  for (const auto command : diagnosis.command_lines()) json.value(command);
  json.end_array().key("evidence");
  if (finding.evidence.line == 0) {
    json.null();
  } else {
    json.begin_object().member("line", finding.evidence.line).member("text", finding.evidence.text).end_object();
  }
  json.member("source", diagnosis.source).member("proof", name_of(diagnosis.proof)).end_object();
}

}  // namespace envgen::diagnosis
