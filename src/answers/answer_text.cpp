#include "answers/answer_text.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/headline.hpp"
#include "answers/paragraph.hpp"
#include "answers/proof.hpp"
#include "answers/summary.hpp"

namespace envgen::answers {
namespace {

constexpr std::string_view item = "  - ";
constexpr std::string_view item_rest = "    ";

void add_title(std::string& text, std::string_view title, const util::Terminal& terminal) {
  text += "\n" + util::bold(std::string(title), terminal) + "\n";
}

void add_headline(std::string& text, std::string_view line, const util::Terminal& terminal) {
  for (const auto& part : util::wrap(line, terminal.prose_width())) text += util::bold(part, terminal) + "\n";
}

/// A table as wide as the terminal; where there is none, as wide as prose.
std::string fitted(const util::Table& table, util::Terminal terminal) {
  if (terminal.width == 0) terminal.width = terminal.prose_width();
  return table.text(terminal);
}

/// Sources are long and shared by many values, so each has a number and stands once.
class Numbered {
 public:
  std::string numbers_of(const std::vector<std::string>& sources) {
    std::vector<std::ptrdiff_t> numbers;
    for (const auto& source : sources) numbers.push_back(number(source));
    std::sort(numbers.begin(), numbers.end());
    return numbers.empty() ? std::string() : fmt::format("[{}]", fmt::join(numbers, ", "));
  }
  void add_to(std::string& text, const util::Terminal& terminal) const {
    add_title(text, "Sources", terminal);
    for (std::size_t i = 0; i < sources_.size(); ++i)
      add_source(text, sources_[i], fmt::format("  [{}] ", i + 1), "      ", terminal);
  }

 private:
  std::ptrdiff_t number(const std::string& source) {
    const auto it = std::find(sources_.begin(), sources_.end(), source);
    if (it != sources_.end()) return it - sources_.begin() + 1;
    sources_.push_back(source);
    return static_cast<std::ptrdiff_t>(sources_.size());
  }
  std::vector<std::string> sources_;
};

void add_install(std::string& text, const Usage& usage) {
  if (usage.install.empty()) return;
  text += "\n";
  for (const auto& line : usage.install) text += "  " + line + "\n";  // never broken, so that it can be copied
}

void add_rows(std::string& text, const std::vector<SummaryRow>& rows, const util::Terminal& terminal) {
  constexpr std::size_t label_width = 10;
  text += "\n";
  for (const auto& row : rows) {
    const auto label = fmt::format("  {:<{}}", row.label, label_width);
    add_paragraph(text, row.text, label, std::string(label.size(), ' '), terminal);
  }
}

void add_notes(std::string& text, const std::vector<std::string>& notes, const util::Terminal& terminal) {
  if (notes.empty()) return;
  add_title(text, "Notes", terminal);
  for (const auto& note : notes) add_paragraph(text, note, item, item_rest, terminal);
}

/// The notes that fit the screen beside the rest, and how many there are more. The most important come first; the first of all is
/// shown even where it is too long for the screen.
std::string notes_that_fit(const std::vector<std::string>& notes, std::size_t room, const util::Terminal& terminal) {
  return fitting(notes.size(), room, terminal, [&](std::size_t count) {
    std::string text;
    add_notes(text, {notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(count)}, terminal);
    const auto left = notes.size() - count;
    if (left > 0) text += fmt::format("{}{} more: see --explain\n", item, left);
    return text;
  });
}

constexpr std::string_view gap = "    ";

/// What the text leaves out, and how to see it.
std::string details_line(const Usage& usage, const Detail& detail, std::string_view reasons) {
  if (!detail.has_flags) return "Details: " + usage.details;
  std::vector<std::string> parts;
  if (!detail.reasons) parts.push_back(fmt::format("{}: --explain", reasons));
  if (detail.brief) parts.emplace_back("Everything: --all");
  if (!detail.sources && !detail.brief) parts.emplace_back("Sources: --sources");
  return fmt::format("{}", fmt::join(parts, gap));
}

/// Texts beside one another where they fit.
std::string beside(const std::string& first, const std::string& second, const util::Terminal& terminal) {
  if (first.empty() || second.empty()) return first + second;
  const bool fits = first.size() + gap.size() + second.size() <= terminal.prose_width();
  return first + (fits ? std::string(gap) : "\n") + second;
}

std::string every_value(const Environment& environment, const Detail& detail, const util::Terminal& terminal) {
  std::string text = "\n";
  Numbered sources;
  std::vector<std::string> titles{"", "value"};
  if (detail.reasons) titles.emplace_back("why");
  if (detail.sources) titles.emplace_back("source");
  util::Table table(titles);
  for (const auto& reason : environment.reasons) {
    std::vector<std::string> cells{reason.field, reason.value};
    if (detail.reasons) cells.push_back(reason.why);
    if (detail.sources) cells.push_back(sources.numbers_of(reason.sources));
    table.add(std::move(cells));
  }
  text += fitted(table, terminal);
  if (!environment.pins.empty()) {
    add_title(text, "Pins", terminal);
    for (const auto& pin : environment.pins)
      add_paragraph(text, fmt::format("{}{}: {}", pin.package, pin.spec, pin.why), "  ", "    ", terminal);
  }
  if (!environment.env.empty()) {
    add_title(text, "Variables", terminal);
    for (const auto& [name, value] : environment.env) text += fmt::format("  {}={}\n", name, value);
  }
  add_notes(text, environment.warnings, terminal);
  if (detail.sources) sources.add_to(text, terminal);
  return text;
}

/// Why each value, of as many values as there is room for: those that decide most first.
std::string reasons_that_fit(const Environment& environment, std::size_t room, const util::Terminal& terminal) {
  constexpr std::array<std::string_view, 9> deciding{"torch",  "tensorflow", "cuda", "gpu", "driver",
                                                     "python", "cudnn",      "os",   "base"};
  const auto rank = [&](const auto& reason) {
    return std::find(deciding.begin(), deciding.end(), reason.field) - deciding.begin();
  };
  std::vector<std::size_t> order(environment.reasons.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return rank(environment.reasons[a]) < rank(environment.reasons[b]); });
  return fitting(order.size(), room, terminal, [&](std::size_t count) {
    std::vector<std::size_t> shown(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
    std::sort(shown.begin(), shown.end());
    util::Table table({"", "value", "why"});
    for (const auto i : shown) {
      const auto& reason = environment.reasons[i];
      table.add({reason.field, reason.value, reason.why});
    }
    auto text = "\n" + fitted(table, terminal);
    if (count < order.size()) text += fmt::format("and {} more\n", order.size() - count);
    return text;
  });
}

/// What to change, and what one has then.
std::string nearest_text(const std::vector<resolver::Nearest>& environments, const util::Terminal& terminal,
                         std::size_t most = std::string::npos) {
  std::string text;
  if (environments.empty()) return text;
  add_title(text, "Nearest environments", terminal);
  int number = 0;
  for (const auto& nearest : environments) {
    if (static_cast<std::size_t>(number) == most) break;
    add_paragraph(text, changes_text(nearest.changes) + ":", fmt::format("  {}. ", ++number), "     ", terminal);
    add_paragraph(text, headline(nearest.environment), "     ", "     ", terminal);
  }
  return text;
}

/// The sentences of a proof; of a long one those that fit, and how many there are more.
std::string proof_text(const std::vector<std::string>& sentences, std::size_t room, std::string_view more,
                       const util::Terminal& terminal) {
  return fitting(sentences.size(), room, terminal, [&](std::size_t count) {
    std::string text = "\n";
    for (std::size_t i = 0; i < count; ++i) add_paragraph(text, sentences[i], "  ", "  ", terminal);
    if (count < sentences.size()) text += fmt::format("  And {} more: see {}.\n", sentences.size() - count, more);
    return text;
  });
}

}  // namespace

std::string environment_text(const Environment& environment, const Usage& usage, const Detail& detail,
                             const util::Terminal& terminal) {
  std::string text;
  add_headline(text, headline(environment), terminal);
  if (detail.brief) {
    const auto taken = detail.rows_above + lines_on_screen(text + closing_text(usage, detail, terminal), terminal);
    return text + reasons_that_fit(environment, left_of_screen(taken), terminal);
  }
  add_install(text, usage);
  if (detail.reasons || detail.sources) return text + every_value(environment, detail, terminal);
  const auto closing = closing_text(usage, detail, terminal);
  std::string whole;
  // A note is worth more than a row that the headline has in short.
  for (const auto shown : {Shown::everything, Shown::no_asides, Shown::no_system, Shown::no_python}) {
    auto above = text;
    add_rows(above, summary_rows(environment, usage, shown), terminal);
    const auto taken = detail.rows_above + lines_on_screen(above + closing, terminal);
    whole = above + notes_that_fit(environment.warnings, left_of_screen(taken), terminal);
    if (detail.rows_above + lines_on_screen(whole + closing, terminal) <= screen_lines) break;
  }
  return whole;
}

std::string conflict_text(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Conflict& conflict,
                          const Usage& usage, const Detail& detail, const util::Terminal& terminal) {
  const auto proof = proof_of(matrix, query, conflict);
  std::string text;
  add_headline(text, proof.verdict, terminal);
  auto sentences = proof.because;  // the headline has the conclusion
  sentences.insert(sentences.end(), proof.remarks.begin(), proof.remarks.end());
  const bool whole = detail.reasons && !detail.brief;
  const auto because = [&](std::size_t room) {
    return proof_text(sentences, room, detail.brief ? "--all" : "--explain", terminal);
  };
  auto nearest = nearest_text(conflict.nearest, terminal);
  const auto room = [&] {
    return left_of_screen(detail.rows_above + lines_on_screen(text + nearest + closing_text(usage, detail, terminal), terminal));
  };
  constexpr std::size_t least = 0;  // of it: the first sentence
  if (!whole && lines_on_screen(because(least), terminal) > room()) nearest = nearest_text(conflict.nearest, terminal, 1);
  text += because(whole ? std::string::npos : room()) + nearest;
  if (detail.sources && !proof.sources.empty()) {
    add_title(text, "Facts", terminal);
    std::vector<std::string> shown;  // one page can be several sources, one for each of its releases
    for (const auto source : proof.sources) {
      const auto& row = matrix.source(source);
      auto line = fmt::format("{} (read {}){}", row.what.view(), row.read.view(),
                              row.address().empty() ? "" : fmt::format(" <{}>", row.address()));
      if (std::find(shown.begin(), shown.end(), line) != shown.end()) continue;
      add_source(text, line, item, item_rest, terminal);
      shown.push_back(std::move(line));
    }
  }
  return text;
}

std::string unknown_text(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Unknown& unknown,
                         const util::Terminal& terminal) {
  std::string text;
  add_headline(text, "Unknown: envgen has no data for this.", terminal);
  text += "\n";
  add_paragraph(text, missing_of(matrix, query, unknown).message + ".", "  ", "  ", terminal);
  return text + nearest_text(unknown.nearest, terminal);
}

std::string closing_text(const Usage& usage, const Detail& detail, const util::Terminal& terminal) {
  const bool found = !usage.next.empty();
  const auto& command = found ? usage.next : usage.nearest;
  const auto next = command.empty() ? std::string() : "Next: " + command;
  const auto text = beside(next, details_line(usage, detail, found ? "Reasons" : "What each value ruled out"), terminal);
  return text.empty() ? text : fmt::format("\n{}\n", text);
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
  add_paragraph(text, fmt::format("Facts: {}.", fmt::join(named, ", overlaid by ")), "\n", "", terminal);
  return text;
}

std::vector<resolver::Removal> shown_removals(std::vector<resolver::Removal> removals, const Detail& detail) {
  // A value before it may have left nothing to rule out; on one screen, only what was ruled out counts.
  std::erase_if(removals, [&](const auto& row) { return row.before == 0 || (detail.brief && row.removed.empty()); });
  return removals;
}

std::string removals_text(const resolver::Query& query, const std::vector<resolver::Removal>& removals, std::size_t count,
                          const Detail& detail, const util::Terminal& terminal) {
  std::string text;
  if (removals.empty()) return text;
  add_title(text, "What each value ruled out", terminal);
  util::Table table({"value", "before", "after", "builds ruled out"}, {false, true, true, false});
  for (const auto& removal : std::span(removals).first(count)) {
    const auto& value = query.values[static_cast<std::size_t>(removal.value)];
    const std::size_t most = detail.brief ? 2 : 6;
    std::vector<std::string> names;
    for (const auto* build : removal.removed) {
      if (names.size() == most) {
        names.push_back(fmt::format("and {} more", removal.removed.size() - most));
        break;
      }
      names.push_back(fmt::format("{}+{}", build->version_text.view(), build->tag.view()));
    }
    table.add({fmt::format("{} {}", name_of(value.field), value.text), fmt::format("{}", removal.before),
               fmt::format("{}", removal.after), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))});
  }
  text += fitted(table, terminal);
  if (count < removals.size()) text += fmt::format("and {} more\n", removals.size() - count);
  return text;
}

}  // namespace envgen::answers
