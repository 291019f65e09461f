#include "model/shell_word.hpp"

#include <algorithm>

#include "model/spelling.hpp"

namespace envgen {

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain = "@%_+=:,./-";
  const bool safe = !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter(c) || is_digit(c) || plain.find(c) != std::string_view::npos;
  });
  if (safe) return std::string(text);
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

std::string shell_words(const std::vector<std::string>& texts) {
  std::string result;
  for (const auto& text : texts) result += (result.empty() ? "" : " ") + shell_word(text);
  return result;
}

}  // namespace envgen
