#include "net/content_range.hpp"

#include <algorithm>
#include <charconv>

namespace envgen::net {
namespace {

/// Takes a number and the character behind it (none: 0) from the front of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text, char end) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  if (end == 0) return text.empty() ? std::optional(number) : std::nullopt;
  if (!text.starts_with(end)) return std::nullopt;
  text.remove_prefix(1);
  return number;
}

}  // namespace

std::optional<ContentRange> ContentRange::parse(std::string_view text) {
  constexpr std::string_view unit = "bytes ";
  if (!text.starts_with(unit)) return std::nullopt;
  text.remove_prefix(unit.size());
  const auto first = take_number(text, '-');
  const auto last = first ? take_number(text, '/') : std::nullopt;
  const auto whole = last ? take_number(text, 0) : std::nullopt;
  if (!whole || *last < *first || *last >= *whole) return std::nullopt;
  return ContentRange{*first, *last, *whole};
}

bool ContentRange::answers(const Range& range) const {
  if (!range.first) return last == whole - 1 && length() == std::min(range.last, whole);
  return first == *range.first && last == std::min(range.last, whole - 1);
}

}  // namespace envgen::net
