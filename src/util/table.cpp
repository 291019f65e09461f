#include "util/table.hpp"

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace envgen::util {
namespace {

/// Columns that a text takes: continuation bytes of UTF-8 take none.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// The byte length of the first `count` columns of `text`.
std::size_t prefix_bytes(std::string_view text, std::size_t count) {
  std::size_t bytes = 0;
  while (bytes < text.size() && count > 0) {
    ++bytes;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) ++bytes;
    --count;
  }
  return bytes;
}

std::string marked(std::string_view text, const char* code, const Terminal& terminal) {
  if (!terminal.colour) return std::string(text);
  return std::string("\x1b[") + code + "m" + std::string(text) + "\x1b[0m";
}

constexpr std::size_t gap = 2;
constexpr std::size_t narrowest = 8;  // a column is not squeezed below this

}  // namespace

Terminal Terminal::of_stdout() {
  Terminal terminal;
  if (::isatty(STDOUT_FILENO) == 0) return terminal;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) terminal.width = size.ws_col;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  terminal.colour = (no_colour == nullptr || *no_colour == 0) && kind != nullptr && std::string_view(kind) != "dumb";
  return terminal;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (width > 0 && columns(text) > width) {
    const auto limit = prefix_bytes(text, width);
    auto cut = text[limit] == ' ' ? limit : text.rfind(' ', limit);
    if (cut == std::string_view::npos || cut == 0) cut = limit;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string bold(std::string_view text, const Terminal& terminal) { return marked(text, "1", terminal); }
std::string dim(std::string_view text, const Terminal& terminal) { return marked(text, "2", terminal); }

Table::Table(std::vector<std::string> titles, std::vector<bool> right) : titles_(std::move(titles)), right_(std::move(right)) {}

void Table::add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string Table::text(const Terminal& terminal) const {
  const auto count = std::accumulate(rows_.begin(), rows_.end(), titles_.size(),
                                     [](std::size_t most, const auto& row) { return std::max(most, row.size()); });
  std::vector<std::size_t> widths(count, 0);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  };
  measure(titles_);
  for (const auto& row : rows_) measure(row);
  if (terminal.width > 0 && count > 0) {
    const auto total = [&] { return std::accumulate(widths.begin(), widths.end(), gap * (count - 1)); };
    while (total() > terminal.width) {
      auto widest = std::max_element(widths.begin(), widths.end());
      if (*widest <= narrowest) break;
      --*widest;
    }
  }
  std::string result;
  const auto put = [&](const std::vector<std::string>& row, bool title) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(wrap(row[i], widths[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::string text;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string cell = line < cells[i].size() ? cells[i][line] : std::string();
        const auto pad = std::string(widths[i] - std::min(widths[i], columns(cell)), ' ');
        const bool right = i < right_.size() && right_[i];
        text += i == 0 ? "" : std::string(gap, ' ');
        text += right ? pad + cell : cell + pad;
      }
      while (text.ends_with(' ')) text.pop_back();
      result += (title ? bold(text, terminal) : text) + "\n";
    }
  };
  if (!titles_.empty()) put(titles_, true);
  for (const auto& row : rows_) put(row, false);
  return result;
}

}  // namespace envgen::util
