#include "model/spelling.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

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
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
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
  const auto limit = std::min(farthest, std::max<std::size_t>(1, text.size() / 3));
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const auto candidate : candidates) {
    const auto distance = edit_distance(wanted, lower(candidate), limit);
    if (distance <= limit) near.emplace_back(distance, std::string(candidate));
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (auto& [distance, candidate] : near) {
    if (result.size() == most) break;
    if (std::find(result.begin(), result.end(), candidate) == result.end()) result.push_back(std::move(candidate));
  }
  return result;
}

namespace {

/// The bytes of the control character that a text begins with; 0: it begins with another one.
std::size_t control_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (text.empty()) return 0;
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F) return 2;
  if (byte(0) == 0xE2 && byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE) return 3;  // and what turns lines round
  if (byte(0) == 0xE2 && byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9) return 3;
  return 0;
}

}  // namespace

bool holds_control(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (control_length(text) != 0) return true;
  }
  return false;
}

std::string visible(std::string_view text, std::size_t most) {
  // The bytes of one character go on with 10xxxxxx.
  auto end = std::min(most, text.size());
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  std::string result;
  text = text.substr(0, end);
  while (!text.empty()) {
    auto length = control_length(text);
    if (length == 0) result += text.front();
    for (std::size_t i = 0; i < length; ++i) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string_view without_spaces_around(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 60;
  return fmt::format("'{}{}", visible(text, most), text.size() > most ? fmt::format("...' ({} bytes)", text.size()) : "'");
}

std::string in_one_line(std::string_view text) {
  constexpr std::size_t most = 300;
  return visible(text, most) + (text.size() > most ? "..." : "");
}

}  // namespace envgen
