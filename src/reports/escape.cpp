#include "reports/escape.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/utf8.hpp"

namespace envgen::reports {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

/// XML 1.0, "Characters": of one character of UTF-8.
bool allowed(std::string_view character) {
  const char c = character.front();
  if (static_cast<unsigned char>(c) < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return character != "\xef\xbf\xbe" && character != "\xef\xbf\xbf";  // U+FFFE and U+FFFF
}

std::string_view reference(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

std::string percent(std::string_view text, std::string_view characters) {
  std::string escaped;
  for (const char c : text) {
    if (characters.find(c) == std::string_view::npos) {
      escaped += c;
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const auto length = utf8_length(text);
    const auto character = text.substr(0, length);
    if (length == 0 || !allowed(character)) {
      escaped += replacement;
    } else if (const auto named = reference(text.front()); !named.empty()) {
      escaped += named;
    } else {
      escaped += character;
    }
    text.remove_prefix(std::max(length, std::size_t{1}));
  }
  return escaped;
}

std::string escape_command(std::string_view text) { return percent(text, "%\r\n"); }

std::string escape_property(std::string_view text) { return percent(text, "%\r\n:,"); }

std::string escape_markdown(std::string_view text) {
  constexpr std::string_view formatting = R"(\`*_{}[]#|~!$)";
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool link = (c == ':' && text.substr(i, 3) == "://") || (c == '.' && i >= 3 && text.substr(i - 3, 3) == "www");
    if (const auto named = c == '<' || c == '>' || c == '&' ? reference(c) : ""; !named.empty()) {
      escaped += named;
      continue;
    }
    if (c == '\n' || c == '\r') {
      escaped += ' ';
      continue;
    }
    if (link || formatting.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace envgen::reports
