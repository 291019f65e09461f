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

/// `text` as a message may show it: control characters escaped, cut after 60 characters, in single quotes.
std::string in_quotes(std::string_view text);

}  // namespace envgen
