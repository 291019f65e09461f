#include "util/table.hpp"

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "model/utf8.hpp"

namespace envgen::util {
namespace {

/// Columns that a text takes: continuation bytes of UTF-8 take none.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !is_utf8_tail(c); }));
}

/// The byte length of the first `count` columns of `text`.
std::size_t prefix_bytes(std::string_view text, std::size_t count) {
  std::size_t bytes = 0;
  while (bytes < text.size() && count > 0) {
    ++bytes;
    while (bytes < text.size() && is_utf8_tail(text[bytes])) ++bytes;
    --count;
  }
  return bytes;
}

std::string marked(std::string_view text, const char* code, const Terminal& terminal) {
  if (!terminal.colour) return std::string(text);
  return std::string("\x1b[") + code + "m" + std::string(text) + "\x1b[0m";
}

constexpr std::array<std::size_t, 2> gaps{2, 1};  // between columns: where there is room, and where there is little
constexpr std::size_t indentation = 2;            // of a block's lines that go on with a cell

/// Whether a line may end inside a word, before its byte `at`, which is not the end of `text`: after a mark that stands alone, so
/// not in `--gpu` or `https://`.
bool is_joint(std::string_view text, std::size_t at) {
  const auto is_mark = [&](std::size_t i) { return std::string_view("/,:-").find(text[i]) != std::string_view::npos; };
  const auto is_letter = [&](std::size_t i) { return text[i] != ' ' && !is_mark(i); };
  return at >= 2 && is_letter(at - 2) && is_mark(at - 1) && is_letter(at);
}

/// The columns of the longest word of `text`, or of the longest part of one where words may be broken at joints.
std::size_t longest_part(std::string_view text, bool at_joints) {
  std::size_t longest = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool space = i == text.size() || text[i] == ' ';
    if (!space && !(at_joints && is_joint(text, i))) continue;
    longest = std::max(longest, columns(text.substr(start, i - start)));
    start = space ? i + 1 : i;
  }
  return longest;
}

/// The bytes of the first line of `text`, which is longer than `width` columns.
std::size_t line_bytes(std::string_view text, std::size_t width) {
  const auto limit = prefix_bytes(text, width);
  const auto space = text.rfind(' ', limit);
  if (space != std::string_view::npos && space > 0) return space;
  for (auto at = limit; at > 0; --at) {
    if (is_joint(text, at)) return at;
  }
  return limit;
}

std::string stripped(std::string line) {
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

/// Narrows the widest columns, none below its least, until all take `room` together. Whether they do.
bool narrow(std::vector<std::size_t>& widths, const std::vector<std::size_t>& least, std::size_t room) {
  auto total = std::accumulate(widths.begin(), widths.end(), std::size_t{0});
  for (; total > room; --total) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > least[i] && (widest == nullptr || widths[i] > *widest)) widest = &widths[i];
    }
    if (widest == nullptr) return false;
    --*widest;
  }
  return true;
}

}  // namespace

namespace {

Terminal terminal_of(int file) {
  Terminal terminal;
  if (::isatty(file) == 0) return terminal;
  winsize size{};
  if (::ioctl(file, TIOCGWINSZ, &size) == 0) terminal.width = size.ws_col;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  terminal.colour = (no_colour == nullptr || *no_colour == 0) && kind != nullptr && std::string_view(kind) != "dumb";
  return terminal;
}

}  // namespace

Terminal Terminal::of_stdout() { return terminal_of(STDOUT_FILENO); }
Terminal Terminal::of_stderr() { return terminal_of(STDERR_FILENO); }

std::size_t Terminal::prose_width() const {
  constexpr std::size_t widest = 100;
  constexpr std::size_t plain = 80;
  return width == 0 ? plain : std::min(width, widest);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::vector<std::string> lines;
  std::string margin;
  while (width > 0 && margin.size() + columns(text) > width) {
    const auto bytes = line_bytes(text, width - margin.size());
    lines.push_back(margin + std::string(text.substr(0, bytes)));
    text.remove_prefix(bytes);
    while (text.starts_with(' ')) text.remove_prefix(1);
    margin.assign(indent, ' ');
  }
  if (lines.empty() || !text.empty()) lines.push_back(margin + std::string(text));
  return lines;
}

std::string bold(std::string_view text, const Terminal& terminal) { return marked(text, "1", terminal); }
std::string dim(std::string_view text, const Terminal& terminal) { return marked(text, "2", terminal); }

Table::Table(std::vector<std::string> titles, std::vector<bool> right) : titles_(std::move(titles)), right_(std::move(right)) {}

void Table::add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string Table::text(const Terminal& terminal) const {
  auto fitting = layout(terminal.width, false);
  if (!fitting) fitting = layout(terminal.width, true);
  return fitting ? aligned(*fitting, terminal) : blocks(terminal);
}

bool Table::fits(const Terminal& terminal) const { return layout(terminal.width, false).has_value(); }

std::optional<Table::Layout> Table::layout(std::size_t width, bool at_joints) const {
  const auto largest = [&](const auto& measure) {
    std::vector<std::size_t> result;
    const auto take = [&](const Row& row) {
      result.resize(std::max(result.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) result[i] = std::max(result[i], measure(row[i]));
    };
    take(titles_);
    for (const auto& row : rows_) take(row);
    return result;
  };
  const auto widths = largest(columns);
  if (width == 0 || widths.empty()) return Layout{widths, gaps.front()};
  const auto least = largest([&](const std::string& cell) { return std::min(width, longest_part(cell, at_joints)); });
  for (const auto gap : gaps) {
    const auto between = gap * (widths.size() - 1);
    auto fitting = Layout{widths, gap};
    if (between < width && narrow(fitting.widths, least, width - between)) return fitting;
  }
  return std::nullopt;
}

std::string Table::aligned(const Layout& layout, const Terminal& terminal) const {
  std::string result;
  const auto put = [&](const Row& row, bool title) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(wrap(row[i], layout.widths[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::string text;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string cell = line < cells[i].size() ? cells[i][line] : std::string();
        const auto pad = std::string(layout.widths[i] - std::min(layout.widths[i], columns(cell)), ' ');
        const bool right = i < right_.size() && right_[i];
        text += i == 0 ? "" : std::string(layout.gap, ' ');
        text += right ? pad + cell : cell + pad;
      }
      text = stripped(std::move(text));
      result += (title ? bold(text, terminal) : text) + "\n";
    }
  };
  if (!titles_.empty()) put(titles_, true);
  for (const auto& row : rows_) put(row, false);
  return result;
}

std::string Table::blocks(const Terminal& terminal) const {
  std::string result;
  for (const auto& row : rows_) {
    if (!result.empty()) result += "\n";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].empty()) continue;
      const auto title = i < titles_.size() && !titles_[i].empty() ? titles_[i] + ":" : "";
      const auto text = stripped(title.empty() ? row[i] : title + " " + row[i]);
      // A word as long as the terminal leaves no room to indent.
      const auto indent = std::min(indentation, terminal.width - std::min(terminal.width, longest_part(text, false)));
      auto lines = wrap(text, terminal.width, indent);
      if (!title.empty() && lines.front().starts_with(title)) lines.front().replace(0, title.size(), bold(title, terminal));
      for (const auto& line : lines) result += line + "\n";
    }
  }
  return result;
}

}  // namespace envgen::util
