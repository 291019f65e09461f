#include "report/view.hpp"

#include <utility>

namespace envgen::report {

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
      return json(report);
    case Format::junit:
      return junit(report);
    case Format::github:
      return github(report);
    case Format::markdown:
      return markdown(report);
    case Format::html:
      return html(report);
    case Format::text:
      break;
  }
  return text(report, terminal);
}

}  // namespace envgen::report
