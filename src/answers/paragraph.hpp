#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "util/table.hpp"

/// Prose of answers, wrapped.
namespace envgen::answers {

/// Adds `paragraph`; its first line is indented by `first`, the others by `rest`.
void add_paragraph(std::string& text, std::string_view paragraph, std::string_view first, std::string_view rest,
                   const util::Terminal& terminal);
/// What was read as a paragraph; its URL (`... <https://...>`) on a line of its own, never broken, so that it can be copied.
void add_source(std::string& text, std::string_view source, std::string_view first, std::string_view rest,
                const util::Terminal& terminal);

/// The lines of a terminal that a text takes: one that is wider than the terminal goes on below.
std::size_t lines_on_screen(std::string_view text, const util::Terminal& terminal);

/// What `text_of(count)` makes of the first of `all` things, as many as `room` lines hold, and at least one.
template <class TextOf>
std::string fitting(std::size_t all, std::size_t room, const util::Terminal& terminal, TextOf text_of) {
  for (auto count = all;; --count) {
    auto text = text_of(count);
    if (count <= 1 || lines_on_screen(text, terminal) <= room) return text;
  }
}

/// What an answer may take of a terminal of 24 lines: the prompts above and below it stay in sight.
inline constexpr std::size_t screen_lines = 22;

/// What `taken` lines leave of it.
constexpr std::size_t left_of_screen(std::size_t taken) { return screen_lines - std::min(taken, screen_lines); }

}  // namespace envgen::answers
