#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/diagnosis.hpp"

namespace envgen::diagnosis {

/// What a line that fits a pattern says.
enum class Force : std::uint8_t {
  sure,      ///< this failure
  general,   ///< this failure, unless the same line is that of another one for sure: written `? `
  contrary,  ///< not this failure, whatever a general line says: written `- `
  hint,      ///< nothing by itself; with a general line of the same failure, it is this one: written `+ `
};

/// One wording: fragments that stand in one line in this order, whatever the case and the quotes.
///   `could not select device driver "" * [[gpu]] !! rootless`
/// `*` is any text of at most `widest_gap` bytes, ` !! ` begins a fragment that the line must not hold, a `#` at the end is a
/// number above zero, and a `|` there ends a name: `torch|` does not stand in `torchmetrics`. A number at an end of a
/// fragment is a whole number there: `error 20` does not stand in `error 209`.
struct Pattern {
  const Diagnosis* diagnosis = nullptr;
  Force force = Force::sure;
  bool needs_hint = false;  ///< general, and nothing without a hint of this failure in the log: written `& `
  std::vector<std::string> fragments;
  std::vector<std::string> without;
  bool number_follows = false;
  bool name_ends = false;
  std::size_t anchor = 0;  ///< the fragment by which lines are found: the first long one, else the longest

  /// Where the pattern begins in a folded line whose `at` is where the anchor begins.
  std::optional<std::size_t> match_at(std::string_view folded, std::size_t at) const;
  /// The same wherever the anchor stands.
  std::optional<std::size_t> match(std::string_view folded) const;
};

constexpr std::size_t widest_gap = 600;

/// The patterns of all failures.
std::vector<Pattern> all_patterns();
/// Those of one: its wordings, and the ways in which programs print its numbers.
std::vector<Pattern> patterns_of(const Diagnosis& diagnosis);

}  // namespace envgen::diagnosis
