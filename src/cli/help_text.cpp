#include "cli/help_formatter.hpp"

#include <algorithm>

#include "util/table.hpp"

namespace envgen::cli {
namespace {

constexpr std::size_t least_description = 30;
constexpr std::size_t below_option = 6;

/// Where the description of a line begins: after the first blanks that stand between words, two or more; where there are none,
/// at its first word.
std::size_t description_of(std::string_view line) {
  const auto word = std::min(line.find_first_not_of(' '), line.size());
  const auto blanks = line.find("  ", word);
  return blanks == std::string_view::npos ? word : std::min(line.find_first_not_of(' ', blanks), line.size());
}

std::string fitted(std::string_view line, std::size_t width) {
  if (width == 0 || line.size() <= width) return std::string(line) + "\n";
  const auto description = description_of(line);
  std::string text(line.substr(0, description));
  auto indent = line.starts_with("Usage:") ? below_option : description;
  if (description + least_description > width) {
    indent = below_option;
    text.resize(text.find_last_not_of(' ') + 1);
    text += "\n" + std::string(indent, ' ');
  }
  std::string_view margin;
  const std::string blanks(indent, ' ');
  for (const auto& part : util::wrap(line.substr(description), std::max(width, indent + 1) - indent)) {
    text.append(margin).append(part).append("\n");
    margin = blanks;
  }
  return text;
}

}  // namespace

std::string help_text(std::string_view help, std::size_t width) {
  std::string text;
  bool examples = false;  // they are copied, so each stays one line
  for (std::size_t from = 0; from < help.size();) {
    const auto end = std::min(help.find('\n', from), help.size());
    const auto line = help.substr(from, end - from);
    examples = examples || line == "Examples:";
    text += examples ? std::string(line) + "\n" : fitted(line, width);
    from = end + 1;
  }
  return text;
}

}  // namespace envgen::cli
