#include "model/spelling.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/add_once.hpp"
#include "model/printable.hpp"
#include "model/utf8.hpp"

namespace envgen {
namespace {

/// Optimal string alignment distance, or `limit + 1` as soon as it must exceed `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const auto gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t differs = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + differs});
      if (std::min(i, j) > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::vector<std::string> nearest_spellings(std::string_view text, std::span<const std::string_view> candidates,
                                           std::size_t most) {
  constexpr std::size_t longest = 64;  // a name; anything longer is no slip of one
  constexpr std::size_t farthest = 3;
  if (text.empty() || text.size() > longest) return {};
  const auto wanted = lower(text);
  constexpr std::size_t short_for_it = 4;  // from so many letters on, the beginning of a word stands for it: `docker`
  const auto limit = std::min(farthest, std::max<std::size_t>(1, text.size() / 3));
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const auto candidate : candidates) {
    const auto distance = edit_distance(wanted, lower(candidate), limit);
    if (distance <= limit) {
      near.emplace_back(distance, std::string(candidate));
    } else if (wanted.size() >= short_for_it && lower(candidate).starts_with(wanted)) {
      near.emplace_back(limit + 1, std::string(candidate));
    }
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (auto& [distance, candidate] : near) {
    if (result.size() == most) break;
    add_once(result, std::move(candidate));
  }
  return result;
}

std::vector<std::string> did_you_mean(std::string_view text, std::span<const std::string_view> candidates, std::size_t most) {
  const auto near = nearest_spellings(text, candidates, most);
  if (near.empty()) return {};
  return {fmt::format("did you mean {}?", fmt::join(near, ", "))};
}

namespace {

/// The bytes of the character that `text` begins with; of what is no UTF-8, one byte.
std::string_view first_character(std::string_view text) { return text.substr(0, std::max<std::size_t>(utf8_length(text), 1)); }

}  // namespace

bool holds_control(std::string_view text) {
  while (!text.empty()) {
    const auto character = first_character(text);
    if (is_control(character)) return true;
    text.remove_prefix(character.size());
  }
  return false;
}

std::string visible(std::string_view whole, std::size_t most) {
  const auto shown = without_secrets(whole);  // of a URL that is cut nobody can tell its login
  std::string_view text = shown;
  // Of which a character has at most three.
  auto end = std::min(most, text.size());
  for (int i = 0; i < 3 && end > 0 && end < text.size() && is_utf8_tail(text[end]); ++i) --end;
  std::string result;
  text = text.substr(0, end);
  while (!text.empty()) {
    const auto character = first_character(text);
    text.remove_prefix(character.size());
    if (!is_control(character)) {
      result += character;
      continue;
    }
    for (const char c : character) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string_view without_spaces_around(std::string_view text) {
  constexpr std::string_view spaces = " \t";
  const auto first = text.find_first_not_of(spaces);
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

std::string in_quotes(std::string_view whole) {
  constexpr std::size_t most = 60;
  const auto text = without_secrets(whole);
  return fmt::format("'{}{}", visible(text, most), text.size() > most ? fmt::format("...' ({} bytes)", text.size()) : "'");
}

std::string in_one_line(std::string_view whole) {
  constexpr std::size_t most = 300;
  const auto text = without_secrets(whole);
  return visible(text, most) + (text.size() > most ? "..." : "");
}

}  // namespace envgen
