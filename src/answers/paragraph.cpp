#include "answers/paragraph.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace envgen::answers {
namespace {

constexpr std::size_t narrowest = 20;

/// Code points, but for what colours a text.
std::size_t columns_of(std::string_view line) {
  std::size_t columns = 0;
  bool escape = false;
  for (const char c : line) {
    if (c == '\x1b') escape = true;
    if (!escape && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++columns;
    if (escape && c == 'm') escape = false;
  }
  return columns;
}

}  // namespace

void add_paragraph(std::string& text, std::string_view paragraph, std::string_view first, std::string_view rest,
                   const util::Terminal& terminal) {
  const auto width = terminal.prose_width();
  const auto margin = std::max(first.size(), rest.size());
  bool head = true;
  for (const auto& line : util::wrap(paragraph, width > margin + narrowest ? width - margin : narrowest)) {
    text += std::string(head ? first : rest) + line + "\n";
    head = false;
  }
}

void add_source(std::string& text, std::string_view source, std::string_view first, std::string_view rest,
                const util::Terminal& terminal) {
  const auto url = source.ends_with('>') ? source.rfind(" <") : std::string_view::npos;
  add_paragraph(text, source.substr(0, url), first, rest, terminal);
  if (url != std::string_view::npos) text += fmt::format("{}{}\n", rest, source.substr(url + 1));
}

std::size_t lines_on_screen(std::string_view text, const util::Terminal& terminal) {
  const auto width = terminal.width == 0 ? terminal.prose_width() : terminal.width;
  std::size_t lines = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto columns = columns_of(text.substr(0, end));
    lines += std::max<std::size_t>(1, (columns + width - 1) / width);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace envgen::answers
