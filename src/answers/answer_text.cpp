#include "answers/answer_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/proof.hpp"

namespace envgen::answers {
namespace {

constexpr std::size_t readable_width = 100;  // lines of prose are kept to this, whatever the terminal

void add_paragraph(std::string& text, std::string_view paragraph, std::string_view first, std::string_view rest,
                   const util::Terminal& terminal) {
  const auto width = std::min(terminal.width == 0 ? readable_width : terminal.width, readable_width);
  const auto margin = terminal.width == 0 ? first.size() : std::max(first.size(), rest.size());
  bool head = true;
  for (const auto& line : util::wrap(paragraph, width > margin + 20 ? width - margin : 20)) {
    text += std::string(head ? first : rest) + line + "\n";
    head = false;
  }
}

/// What was read as a paragraph; its URL (`... <https://...>`) on a line of its own, never broken, so that it can be copied.
void add_source(std::string& text, std::string_view source, std::string_view first, std::string_view rest,
                const util::Terminal& terminal) {
  const auto url = source.ends_with('>') ? source.rfind(" <") : std::string_view::npos;
  add_paragraph(text, source.substr(0, url), first, rest, terminal);
  if (url != std::string_view::npos) text += fmt::format("{}{}\n", rest, source.substr(url + 1));
}

std::string headline(const Environment& environment) {
  const auto& build = environment.build();
  std::string text = fmt::format("{} {}", environment.torch ? "torch" : "tensorflow", build.version);
  text += build.cuda ? fmt::format(" for CUDA {}", *build.cuda) : " for the CPU";
  text += fmt::format(", Python {}, {}", environment.python, environment.os.value_or("unknown system"));
  if (!environment.driver) return text;
  if (environment.driver->by_range().size() > 1) return text + ", drivers machine by machine";
  const auto& [minimum, last] = environment.driver->range;
  if (!minimum) return text;
  return text + (last ? fmt::format(", driver {} to branch {}", *minimum, *last) : fmt::format(", driver {} or newer", *minimum));
}

/// `driver >=525.60.13`, or `driver >=525.60.13,<581 (V100), >=570.26 (B200)` where machines differ.
std::string driver_words(const std::optional<Environment::Driver>& driver) {
  if (!driver) return "no driver";
  const auto served = driver->by_range();
  if (served.size() == 1) return fmt::format("driver {}", served.front().range.to_string());
  std::vector<std::string> parts;
  for (const auto& [range, gpus] : served)
    parts.push_back(
        fmt::format("{} ({})", range.to_string(), gpus.empty() ? "unnamed GPUs" : fmt::format("{}", fmt::join(gpus, ", "))));
  return fmt::format("driver {}", fmt::join(parts, ", "));
}

void add_nearest(std::string& text, const std::vector<resolver::Nearest>& environments, const util::Terminal& terminal) {
  if (environments.empty()) return;
  text += "\n" + util::bold("Nearest environments", terminal) + "\n";
  int number = 0;
  for (const auto& nearest : environments) {
    add_paragraph(text, changes_text(nearest.changes) + ":", fmt::format("  {}. ", ++number), "     ", terminal);
    add_paragraph(text, environment_line(nearest.environment), "     ", "     ", terminal);
  }
}

}  // namespace

std::string environment_line(const Environment& environment) {
  const auto& build = environment.build();
  return fmt::format("{} {}  CUDA {}  cuDNN {}  Python {} ({})  {}  {}  {}", environment.torch ? "torch" : "tensorflow",
                     build.version,
                     spelling_or(build.cuda ? environment.toolkit().version.value_or(*build.cuda) : build.cuda, "cpu"),
                     environment.cudnn ? spelling_or(environment.cudnn->version, "?") : "-", environment.python,
                     name_of(environment.python_provider), environment.os.value_or("?"), name_of(environment.base),
                     driver_words(environment.driver));
}

std::string environment_text(const Environment& environment, const util::Terminal& terminal) {
  std::string text;
  for (const auto& line : util::wrap(headline(environment), terminal.width)) text += util::bold(line, terminal) + "\n";
  text += "\n";
  // Sources are long and shared by many values, so they are numbered and stand once, below.
  std::vector<std::string> sources;
  const auto number = [&](const std::string& source) {
    const auto it = std::find(sources.begin(), sources.end(), source);
    if (it != sources.end()) return it - sources.begin() + 1;
    sources.push_back(source);
    return static_cast<std::ptrdiff_t>(sources.size());
  };
  util::Table table({"", "value", "why", "source"});
  for (const auto& reason : environment.reasons) {
    std::vector<std::ptrdiff_t> numbers;
    for (const auto& source : reason.sources) numbers.push_back(number(source));
    std::sort(numbers.begin(), numbers.end());
    table.add({reason.field, reason.value, reason.why, numbers.empty() ? "" : fmt::format("[{}]", fmt::join(numbers, ", "))});
  }
  auto fitted = terminal;
  constexpr std::size_t plain_width = 120;  // a file or a pipe has no width of its own
  if (fitted.width == 0) fitted.width = plain_width;
  text += table.text(fitted);
  if (!environment.pins.empty()) {
    text += "\n" + util::bold("Pins", terminal) + "\n";
    for (const auto& pin : environment.pins)
      add_paragraph(text, fmt::format("{}{}: {}", pin.package, pin.spec, pin.why), "  ", "    ", terminal);
  }
  if (!environment.env.empty()) {
    text += "\n" + util::bold("Variables", terminal) + "\n";
    for (const auto& [name, value] : environment.env) text += fmt::format("  {}={}\n", name, value);
  }
  if (!environment.warnings.empty()) {
    text += "\n" + util::bold("Mind", terminal) + "\n";
    for (const auto& warning : environment.warnings) add_paragraph(text, warning, "  - ", "    ", terminal);
  }
  text += "\n" + util::bold("Sources", terminal) + "\n";
  for (std::size_t i = 0; i < sources.size(); ++i)
    add_source(text, sources[i], fmt::format("  [{}] ", i + 1), "      ", terminal);
  return text;
}

std::string conflict_text(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Conflict& conflict,
                          const util::Terminal& terminal) {
  std::string text = util::bold("No environment exists for this request.", terminal) + "\n\n";
  const auto proof = proof_of(matrix, query, conflict);
  for (const auto& line : proof.lines) add_paragraph(text, line, "  ", "  ", terminal);
  if (!proof.sources.empty()) {
    text += "\n" + util::bold("Facts", terminal) + "\n";
    std::vector<std::string> shown;  // one page can be several sources, one for each of its releases
    for (const auto source : proof.sources) {
      const auto& row = matrix.source(source);
      auto line = fmt::format("{} (read {}){}", row.what.view(), row.read.view(),
                              row.url.empty() ? "" : fmt::format(" <{}>", row.url.view()));
      if (std::find(shown.begin(), shown.end(), line) != shown.end()) continue;
      add_source(text, line, "  - ", "    ", terminal);
      shown.push_back(std::move(line));
    }
  }
  add_nearest(text, conflict.nearest, terminal);
  return text;
}

std::string unknown_text(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Unknown& unknown,
                         const util::Terminal& terminal) {
  std::string text = util::bold("Unknown: a fact is missing.", terminal) + "\n\n";
  add_paragraph(text, missing_of(matrix, query, unknown).message + ".", "  ", "  ", terminal);
  add_nearest(text, unknown.nearest, terminal);
  return text;
}

std::string layers_text(const matrix::Matrix& matrix, const util::Terminal& terminal) {
  const auto& layers = matrix->layers;
  const bool any =
      std::any_of(layers.begin(), layers.end(), [](const auto& layer) { return layer.kind == matrix::LayerKind::user; });
  if (!any) return {};
  std::vector<std::string> named;
  for (const auto& layer : layers) {
    const auto& day = layer.read.empty() ? layer.revision : layer.read;
    named.push_back(fmt::format("{} ({})", layer.name.view(), day.empty() ? "undated" : fmt::format("read {}", day.view())));
  }
  std::string text;
  add_paragraph(text, fmt::format("Facts: {}.", fmt::join(named, ", and over them ")), "\n", "", terminal);
  return text;
}

std::string removals_text(const resolver::Query& query, const std::vector<resolver::Removal>& removals,
                          const util::Terminal& terminal) {
  std::string text = "\n" + util::bold("What each value removed", terminal) + "\n";
  util::Table table({"value", "builds before", "after", "removed"}, {false, true, true, false});
  for (const auto& removal : removals) {
    const auto& value = query.values[static_cast<std::size_t>(removal.value)];
    constexpr std::size_t most = 6;
    std::vector<std::string> names;
    for (const auto* build : removal.removed) {
      if (names.size() == most) {
        names.push_back(fmt::format("and {} more", removal.removed.size() - most));
        break;
      }
      names.push_back(fmt::format("{}+{}", build->version_text.view(), build->tag.view()));
    }
    const auto* none = removal.before == 0 ? "none was left" : "nothing";
    table.add({fmt::format("{} {}", name_of(value.field), value.text), fmt::format("{}", removal.before),
               fmt::format("{}", removal.after), names.empty() ? none : fmt::format("{}", fmt::join(names, ", "))});
  }
  auto fitted = terminal;
  if (fitted.width == 0) fitted.width = readable_width;
  return text + table.text(fitted);
}

}  // namespace envgen::answers
