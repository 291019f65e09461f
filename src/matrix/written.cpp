#include "matrix/written.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/utf8.hpp"

namespace envgen::matrix {
namespace {

constexpr std::size_t columns = 120;

/// What stands behind a value at most: a comma, and the end of what holds it.
constexpr std::size_t behind = 2;

/// In characters, which is what a reader's editor counts.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) { return !is_utf8_tail(byte); }));
}

std::string scalar(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

void add_line(std::string& text, const Json& value) {
  if (!value.is_structured()) {
    text += scalar(value);
    return;
  }
  text += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [name, member] : value.items()) {
    if (!std::exchange(first, false)) text += ", ";
    if (value.is_object()) text += scalar(name) + ": ";
    add_line(text, member);
  }
  text += value.is_object() ? '}' : ']';
}

std::string one_line(const Json& value) {
  std::string text;
  add_line(text, value);
  return text;
}

/// The parts of an object or a list: what stands before each, and the part.
std::vector<std::pair<std::string, const Json*>> parts_of(const Json& value) {
  std::vector<std::pair<std::string, const Json*>> parts;
  for (const auto& [name, member] : value.items()) parts.emplace_back(value.is_object() ? scalar(name) + ": " : "", &member);
  return parts;
}

/// The value as it stands from this column on.
std::string wrapped(const Json& value, std::size_t column) {
  auto line = one_line(value);
  if (column + width(line) + behind <= columns || !value.is_structured()) return line;
  std::vector<std::string> lines;
  for (const auto& [before, part] : parts_of(value)) {
    const auto whole = before + one_line(*part);
    const bool joins = !lines.empty() && lines.back().find('\n') == std::string::npos &&
                       column + 1 + width(lines.back()) + 2 + width(whole) + behind <= columns;
    if (joins) {
      lines.back() += ", " + whole;
    } else {
      lines.push_back(before + wrapped(*part, column + 1 + width(before)));
    }
  }
  const auto next_line = ",\n" + std::string(column + 1, ' ');
  std::string text(1, line.front());
  for (const auto& each : lines) text += (&each == &lines.front() ? "" : next_line) + each;
  return text + line.back();
}

/// A member of the document; the items of one that does not fit stand below one another.
std::string part_written(const std::string& before, const Json& part) {
  constexpr std::size_t indent = 2;
  constexpr std::size_t item_indent = 4;
  const auto line = one_line(part);
  if (indent + width(before) + width(line) + behind <= columns || !part.is_structured()) return before + line;
  std::string items;
  for (const auto& [name, item] : parts_of(part))
    items += (items.empty() ? "\n" : ",\n") + std::string(item_indent, ' ') + name + wrapped(*item, item_indent + width(name));
  return before + line.front() + items + "\n" + std::string(indent, ' ') + line.back();
}

}  // namespace

std::string written(const Json& document) {
  const auto line = one_line(document);
  if (width(line) <= columns) return line + "\n";
  std::string text;
  for (const auto& [before, part] : parts_of(document)) text += (text.empty() ? "{\n  " : ",\n  ") + part_written(before, *part);
  return text + "\n}\n";
}

}  // namespace envgen::matrix
