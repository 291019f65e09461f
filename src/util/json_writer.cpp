#include "util/json_writer.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "model/utf8.hpp"

namespace envgen::util {
namespace {

/// The bytes that stand for themselves in a JSON text: nearly all there are, so they are told by one look.
constexpr auto plain_bytes = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0x20; c < 0x7F; ++c) table[c] = c != '"' && c != '\\';
  return table;
}();

/// True when eight bytes stand for themselves, asked of all at once: none has its high bit, and none becomes zero or wraps.
bool eight_plain(const char* bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const auto below = [&](std::uint64_t x, std::uint64_t limit) { return (x - ones * limit) & ~x & high; };
  return ((word & high) | below(word, 0x20) | below(word ^ (ones * '"'), 1) | below(word ^ (ones * '\\'), 1) |
          below(word ^ (ones * 0x7F), 1)) == 0;
}

/// U+0080 to U+009F, which steer a terminal.
bool is_c1(std::string_view text) { return text[0] == '\xC2' && static_cast<unsigned char>(text[1]) <= 0x9FU; }

void append_escaped(std::string& out, std::string_view text) {
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size();) {
    while (i + 8 <= text.size() && eight_plain(text.data() + i)) i += 8;
    if (i == text.size()) break;
    const auto c = static_cast<unsigned char>(text[i]);
    if (plain_bytes[c]) {
      ++i;
      continue;
    }
    const auto length = utf8_length(text.substr(i));
    if (length > 1 && !is_c1(text.substr(i))) {
      i += length;
      continue;
    }
    out.append(text.substr(plain, i - plain));
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (length == 0) {
          out += "\xEF\xBF\xBD";
        } else {
          // C1 is two bytes, the second of which is its number.
          const auto last = static_cast<unsigned char>(text[i + length - 1]);
          fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(last));
          i += length - 1;
        }
    }
    plain = ++i;
  }
  out.append(text.substr(plain));
}

}  // namespace

void JsonWriter::new_line() {
  if (indent_ == 0) return;
  text_ += '\n';
  text_.append(static_cast<std::size_t>(indent_) * static_cast<std::size_t>(depth_), ' ');
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (depth_ == 0) return;
  if (!first_) text_ += ',';
  first_ = false;
  new_line();
}

JsonWriter& JsonWriter::open(char bracket) {
  before_value();
  text_ += bracket;
  ++depth_;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  --depth_;
  if (!first_) new_line();
  text_ += bracket;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  text_ += '"';
  append_escaped(text_, name);
  text_ += indent_ == 0 ? "\":" : "\": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_value();
  text_ += '"';
  append_escaped(text_, text);
  text_ += '"';
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
  before_value();
  text_ += flag ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::value(long long number) {
  before_value();
  fmt::format_to(std::back_inserter(text_), "{}", number);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  before_value();
  fmt::format_to(std::back_inserter(text_), "{}", number);
  return *this;
}

JsonWriter& JsonWriter::null() {
  before_value();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::value(const std::vector<std::string>& texts) {
  begin_array();
  for (const auto& text : texts) value(std::string_view(text));
  return end_array();
}

}  // namespace envgen::util
