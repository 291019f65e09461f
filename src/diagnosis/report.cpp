#include "diagnosis/report.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "diagnosis/placeholders.hpp"
#include "model/version.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::size_t label_width = 7;

/// `  Cause   text`, and what does not fit below it.
std::string labelled(std::string_view label, std::string_view text, const util::Terminal& terminal) {
  constexpr std::size_t margin = label_width + 3;
  constexpr std::size_t least = 20;
  const auto width = terminal.prose_width();
  std::string result;
  for (const auto& line : util::wrap(text, width > margin + least ? width - margin : least)) {
    result += "  " + util::dim(fmt::format("{:<{}} ", result.empty() ? label : "", label_width), terminal) + line + "\n";
  }
  return result;
}

std::string title_of(const Diagnosis& diagnosis, const util::Terminal& terminal) {
  std::string result;
  for (const auto& line : util::wrap(fmt::format("{}: {}", diagnosis.id, diagnosis.title), terminal.prose_width(), 2))
    result += util::bold(line, terminal) + "\n";
  return result;
}

/// `text` with each place where `word` stands alone, or as a part of a name (`nvidia-driver-BRANCH-server`), filled in.
void fill_in(std::string& text, std::string_view word, const std::string& value) {
  const auto begins = [&](std::size_t at) {
    return at > 0 && (text[at - 1] == ' ' || text[at - 1] == '-' || text[at - 1] == '=');
  };
  const auto ends = [&](std::size_t at) { return at >= text.size() || text[at] == ' ' || text[at] == '-'; };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if (begins(at) && ends(at + word.size())) text.replace(at, word.size(), value);
  }
}

/// What a command begins with that asks for a torch.
constexpr std::string_view request = "envgen resolve";

/// `text` without a flag whose value the log does not name; empty where that leaves a command without a request.
void leave_out(std::string& text, std::string_view flag) {
  const auto at = text.find(flag);
  if (at == std::string::npos || !text.starts_with(request)) return;
  text.erase(at, flag.size());
  if (text == request) text.clear();
}

/// Whether a command installs TensorFlow with an extra that the log's release does not have.
bool is_of_later_tensorflow(std::string_view command, const Seen& seen) {
  constexpr std::string_view extra = "[and-cuda]";
  static const Version first{2, 14};
  if (!seen[Named::tensorflow] || command.find(extra) == std::string_view::npos) return false;
  const auto version = Version::parse(seen[Named::tensorflow]->text);
  return version && *version < first;
}

/// The commands, as far as a log fills them in: a flag of envgen whose value it does not name is left out. On a platform without
/// envgen, none that asks it about the machine; in the log of a program that brings its own torch, none that asks for another.
std::vector<std::string> commands_of(const Finding& finding, const Seen& seen) {
  const auto& diagnosis = *finding.diagnosis;
  const bool of_log = finding.evidence.line > 0;
  constexpr std::array<std::pair<std::string_view, Named>, 5> places{{{"GPU", Named::gpu},
                                                                      {"TORCH", Named::torch},
                                                                      {"TENSORFLOW", Named::tensorflow},
                                                                      {"DRIVER", Named::driver},
                                                                      {"BRANCH", Named::last_branch}}};
  std::vector<std::string> commands;
  for (const auto line : diagnosis.command_lines()) {
    if (seen[Named::platform] && line.find("--host auto") != std::string_view::npos) continue;
    if (!seen.pins_torch.empty() && line.starts_with(request)) continue;
    if (is_of_later_tensorflow(line, seen)) continue;
    std::string command(line);
    for (const auto& [word, named] : places) {
      if (!seen[named]) continue;
      const auto& value = seen[named]->text;
      // A name of a GPU has spaces and no quotes: named_in_log.cpp ends it there.
      fill_in(command, word, value.find(' ') == std::string::npos ? value : "'" + value + "'");
    }
    for (const std::string_view word : {"PACKAGE", "PORT", "INTERFACE", "GCC", "CUDA", "NVCC", "GENCODE"}) {
      if (const auto value = named_in_evidence(word, finding.evidence.text)) fill_in(command, word, *value);
    }
    for (const std::string_view flag :
         {" --torch TORCH", " --tensorflow TENSORFLOW", " --gpu GPU", " --cuda CUDA", " --cuda NVCC"}) {
      if (of_log) leave_out(command, flag);
    }
    if (!command.empty()) commands.push_back(std::move(command));
  }
  return commands;
}

/// With how it is known, which many sources say themselves.
std::string source_of(const Diagnosis& diagnosis) {
  const auto proof = name_of(diagnosis.proof);
  const bool says_so =
      diagnosis.source.starts_with(proof) || diagnosis.source.find(fmt::format("({})", proof)) != std::string_view::npos;
  return says_so ? std::string(diagnosis.source) : fmt::format("{} ({})", diagnosis.source, in_words(diagnosis.proof));
}

/// Without its title. Commands stay whole, whatever the width: they are to be copied.
std::string body_of(const Finding& finding, const util::Terminal& terminal, const Seen& seen) {
  const auto& diagnosis = *finding.diagnosis;
  auto result = labelled("cause", diagnosis.cause, terminal) + labelled("fix", diagnosis.fix, terminal);
  std::string_view label = "run";
  for (const auto& command : commands_of(finding, seen)) {
    result += "  " + util::dim(fmt::format("{:<{}} ", label, label_width), terminal) + command + "\n";
    label = {};
  }
  return result + labelled("source", source_of(diagnosis), terminal);
}

}  // namespace

std::string findings_text(const std::vector<Finding>& findings, const util::Terminal& terminal, const Seen& seen) {
  std::string result;
  for (const auto& finding : findings) {
    if (!result.empty()) result += "\n";
    result += title_of(*finding.diagnosis, terminal);
    if (finding.evidence.line > 0)
      result += labelled(fmt::format("line {}", finding.evidence.line), finding.evidence.text, terminal);
    result += body_of(finding, terminal, seen);
  }
  return result;
}

void write_finding(util::JsonWriter& json, const Finding& finding, const Seen& seen) {
  const auto& diagnosis = *finding.diagnosis;
  json.begin_object().member("id", diagnosis.id).member("title", diagnosis.title);
  json.member("cause", diagnosis.cause).member("fix", diagnosis.fix);
  json.member("commands", commands_of(finding, seen)).key("evidence");
  if (finding.evidence.line == 0) {
    json.null();
  } else {
    json.begin_object().member("line", finding.evidence.line).member("text", finding.evidence.text).end_object();
  }
  json.member("source", diagnosis.source).member("proof", name_of(diagnosis.proof)).end_object();
}

void write_seen(util::JsonWriter& json, const Seen& seen) {
  json.begin_object();
  for (std::size_t i = 0; i < named_names.size(); ++i) {
    const auto& value = seen.values.at(i);
    json.member(named_names.at(i), value ? std::optional(value->text) : std::nullopt);
  }
  json.end_object();
}

}  // namespace envgen::diagnosis
