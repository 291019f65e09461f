#include "reports/view.hpp"

#include <utility>

#include "model/printable.hpp"

namespace envgen::reports {

std::optional<Format> format_of_file(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Format>, 5> endings{{{".txt", Format::text},
                                                                        {".json", Format::json},
                                                                        {".xml", Format::junit},
                                                                        {".md", Format::markdown},
                                                                        {".html", Format::html}}};
  for (const auto& [ending, format] : endings) {
    if (name.ends_with(ending)) return format;
  }
  return std::nullopt;
}

std::string view(const validate::Report& report, Format format, const util::Terminal& terminal) {
  switch (format) {
    case Format::json:
      return printable(json(report), Notation::json);
    case Format::junit:
      return printable(junit(report), Notation::markup);
    case Format::github:
      return github(report);  // its commands are meant
    case Format::markdown:
      return printable(markdown(report), Notation::markup);
    case Format::html:
      return printable(html(report), Notation::markup);
    case Format::text:
      break;
  }
  return printable(text(report, terminal), Notation::text, terminal.colour);
}

}  // namespace envgen::reports
