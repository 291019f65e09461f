#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace envgen {

/// The candidates that `text` may be a slip of, nearest first, at most `most`; empty when nothing is near.
/// Near: an edit distance (insert, delete, replace, swap) of at most a third of the length, and never more than 3.
std::vector<std::string> nearest_spellings(std::string_view text, std::span<const std::string_view> candidates,
                                           std::size_t most = 3);
/// These as a hint, `did you mean X?`; no hint where nothing is near.
std::vector<std::string> did_you_mean(std::string_view text, std::span<const std::string_view> candidates, std::size_t most = 3);

// Of ASCII.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// ASCII letters made small; everything else as it is.
std::string lower(std::string_view text);

/// Without the spaces and tabs around it: a slip of the hand. Any other control character is for the reader to see.
std::string_view without_spaces_around(std::string_view text);

/// True when a part of the text is a control character (`is_control`).
bool holds_control(std::string_view text);

/// At most `most` bytes of a text with these characters made visible, `\x0a`, no UTF-8 character cut, and nothing secret
/// (`without_secrets`).
std::string visible(std::string_view text, std::size_t most);

/// `text` as a message may show it: `visible`, cut after 60 bytes, in single quotes.
std::string in_quotes(std::string_view text);

/// The same of a whole message that others made: cut after 300 bytes, without quotes.
std::string in_one_line(std::string_view text);

}  // namespace envgen
