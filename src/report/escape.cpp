#include "report/escape.hpp"

#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace envgen::report {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

struct Character {
  char32_t code;
  std::size_t bytes;  ///< 0: they are no UTF-8
};

/// The first character of `text`, which is not empty (RFC 3629: no overlong forms, no surrogates).
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {0, 0};
  char32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {0, 0};
    code = (code << 6U) | (byte(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least.at(bytes) || surrogate || code > 0x10ffff ? Character{0, 0} : Character{code, bytes};
}

/// XML 1.0, "Characters".
bool allowed(char32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code != 0xfffe && code != 0xffff;
}

std::string_view reference(char32_t code) {
  switch (code) {
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
    const auto [code, bytes] = first_character(text);
    if (bytes == 0 || !allowed(code)) {
      escaped += replacement;
    } else if (const auto named = reference(code); !named.empty()) {
      escaped += named;
    } else {
      escaped += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
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
    if (const auto named = c == '<' || c == '>' || c == '&' ? reference(static_cast<unsigned char>(c)) : ""; !named.empty()) {
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

}  // namespace envgen::report
