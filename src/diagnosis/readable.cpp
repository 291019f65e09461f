#include "diagnosis/readable.hpp"

#include <algorithm>
#include <cstdint>

#include "model/spelling.hpp"
#include "model/utf8.hpp"

namespace envgen::diagnosis {
namespace {

/// The value of `count` hexadecimal digits at the beginning of `text`; 0: they are none.
std::uint32_t hex_value(std::string_view text, std::size_t count) {
  if (text.size() < count) return 0;
  std::uint32_t value = 0;
  for (const char c : text.substr(0, count)) {
    const auto digit = std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
    if (digit == std::string_view::npos) return 0;
    value = value * 16 + static_cast<std::uint32_t>(digit);
  }
  return value;
}

/// How long a terminal's control sequence is, without the escape that begins it.
std::size_t sequence_length(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() == '[') {
    const auto end = std::find_if(text.begin() + 1, text.end(), [](char c) { return c >= 0x40 && c <= 0x7e; });
    return std::min(static_cast<std::size_t>(end - text.begin()) + 1, text.size());
  }
  if (text.front() == ']') {  // a title or a link: ends with a bell, or with another escape, which then stands for itself
    const auto end = text.find_first_of("\a\x1b");
    return std::min(end == std::string_view::npos ? end : end + (text[end] == '\a' ? 1 : 0), text.size());
  }
  return 1;
}

/// A character beyond ASCII and the bytes that it takes; one that is broken takes one byte.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 1;
};

Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto length = utf8_length(text);
  if (length < 2) return {};
  std::uint32_t code = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3FU);
  return {code, length};
}

/// What stands for a character that has a plain form: 0 for one to leave out, itself for one without.
std::uint32_t plain(std::uint32_t code) {
  if (code == 0x2018 || code == 0x2019 || code == 0x201A || code == 0x2032) return '\'';
  if (code == 0x201C || code == 0x201D || code == 0x201E || code == 0x2033) return '"';
  if (code >= 0x2010 && code <= 0x2015) return '-';
  if (code == 0xA0 || (code >= 0x2000 && code <= 0x200A) || code == 0x3000) return ' ';
  if (code >= 0x2500 && code <= 0x257F) return ' ';                                   // what boxes are drawn of
  if ((code >= 0x80 && code < 0xA0) || code == 0x2028 || code == 0x2029) return ' ';  // these end a line or steer a terminal
  if ((code >= 0x200B && code <= 0x200F) || code == 0xFEFF) return 0;
  if ((code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069)) return 0;  // these turn the direction of text
  return code;
}

class Reader {
 public:
  Reader(std::string_view rest, const std::function<void(std::string_view)>& take) : rest_(rest), take_(take) {
    line_.reserve(rest.size());
  }

  void read() {
    while (!rest_.empty()) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      if (byte == '\\') {
        escaped();
      } else if (byte >= 0x80) {
        const auto character = decode(rest_);
        const auto code = plain(character.code);
        if (character.code == 0) {
          line_.append("\xef\xbf\xbd");  // no UTF-8; a '?' would begin the query of a URL, and end its login
        } else if (code >= 0x80) {
          line_.append(rest_.substr(0, character.length));
        } else if (code != 0) {
          put(static_cast<char>(code));
        }
        rest_.remove_prefix(character.length);
      } else if (byte == 0x1b) {
        rest_.remove_prefix(1);
        rest_.remove_prefix(sequence_length(rest_));
      } else if (byte == '^' && rest_.starts_with("^[[")) {
        rest_.remove_prefix(2);
        rest_.remove_prefix(sequence_length(rest_));
      } else if (byte == '\r') {
        end_line();
        rest_.remove_prefix(1);
      } else {
        put(byte < 0x20 || byte == 0x7f ? ' ' : static_cast<char>(byte));
        rest_.remove_prefix(1);
      }
    }
    end_line();
    if (!any_) take_({});
  }

 private:
  void put(char c) {
    if (c != ' ' || (!line_.empty() && line_.back() != ' ')) line_ += c;
  }

  void end_line() {
    if (!line_.empty() && line_.back() == ' ') line_.pop_back();
    if (line_.empty()) return;
    any_ = true;
    take_(line_);
    line_.clear();
  }

  /// A backslash, or several of a text that was quoted again, and what they make of what follows.
  void escaped() {
    const auto end = std::min(rest_.find_first_not_of('\\'), rest_.size());
    rest_.remove_prefix(end);
    const char next = rest_.empty() ? '\0' : rest_.front();
    if (is_of_a_path(end)) {
      put('\\');
    } else if (next == 'n' || next == 'r') {
      end_line();
      rest_.remove_prefix(1);
    } else if (next == 't') {
      put(' ');
      rest_.remove_prefix(1);
    } else if (next == 'u' && hex_value(rest_.substr(1), 4) != 0) {
      const auto code = plain(hex_value(rest_.substr(1), 4));
      rest_.remove_prefix(5);
      if (code == 0x1b) {
        rest_.remove_prefix(sequence_length(rest_));
      } else if (code >= 0x20 && code < 0x7f) {
        put(static_cast<char>(code));
      }
    } else if (rest_.starts_with("x1b[") || rest_.starts_with("x1B[") || rest_.starts_with("033[")) {
      rest_.remove_prefix(3);
      rest_.remove_prefix(sequence_length(rest_));
    } else if (next != '"' && next != '\'' && next != '/' && static_cast<unsigned char>(next) < 0x80) {
      put('\\');
    }
  }

  /// Whether so many backslashes divide the folders of Windows: as many as stand behind the drive of this word.
  bool is_of_a_path(std::size_t count) {
    const auto word = std::string_view(line_).substr(line_.find_last_of(" \"'=(") + 1);
    const bool is_drive = word.size() == 2 && is_letter(word.front()) && word.back() == ':';
    if (is_drive) divider_ = count;
    return is_drive || (word.size() > 3 && word.substr(1).starts_with(":\\") && is_letter(word.front()) && count == divider_);
  }

  std::string_view rest_;
  const std::function<void(std::string_view)>& take_;
  std::string line_;
  std::size_t divider_ = 1;  ///< backslashes of the last path of Windows
  bool any_ = false;
};

/// The length of one such thing at the beginning, with the space after it; 0: none.
std::size_t one_prefix(std::string_view text) {
  const auto with_space = [&](std::size_t length) {
    return length < text.size() && text[length] == ' ' ? length + 1 : std::size_t{0};
  };
  const auto word_end = std::min(text.find(' '), text.size());
  const auto word = text.substr(0, word_end);
  if (word.empty()) return 0;
  constexpr std::size_t longest = 80;
  if (word_end > longest) return 0;
  if (text.substr(word_end).starts_with(" | ")) return word_end + 3;  // docker compose
  if (word == "|" || word == ">" || word == "stderr" || word == "stdout" || word == "F" || word == "P")
    return with_space(word_end);
  if (word.front() == '[') {  // [rank0]: , [pod/name/container] , [2026-01-02 03:04:05]
    const auto end = text.find(']');
    if (end > longest) return 0;
    return with_space(text.substr(end + 1).starts_with(':') ? end + 2 : end + 1);
  }
  if (word.front() == '#' && word.size() > 1 && std::all_of(word.begin() + 1, word.end(), is_digit)) {  // BuildKit: #7 12.34
    const auto step = with_space(word_end);
    const auto rest = text.substr(step);
    const auto end = rest.find_first_not_of("0123456789.");
    return step == 0 || end == 0 || end == std::string_view::npos || rest[end] != ' ' ? step : step + end + 1;
  }
  // A date, a time, or both: 2026-01-02T03:04:05.6Z
  const auto marks = std::count_if(word.begin(), word.end(), [](char c) { return c == '-' || c == ':' || c == '/'; });
  const bool is_time = word.find_first_not_of("0123456789-:.,TZ+/") == std::string_view::npos;
  return is_time && marks >= 2 && is_digit(word.front()) ? with_space(word_end) : 0;
}

}  // namespace

void for_each_readable(std::string_view line, const std::function<void(std::string_view)>& take) {
  if (line.find('\0') == std::string_view::npos) return Reader(line, take).read();
  std::string narrow(line);  // ASCII in UTF-16 has a zero beside every letter
  std::erase(narrow, '\0');
  Reader(narrow, take).read();
}

void fold(std::string_view readable, std::string& folded) {
  folded.resize(readable.size());
  std::transform(readable.begin(), readable.end(), folded.begin(), [](char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    return c == '"' || c == '`' ? '\'' : c;
  });
}

std::size_t prefix_length(std::string_view readable) {
  std::size_t length = 0;
  while (const auto more = one_prefix(readable.substr(length))) length += more;
  return length;
}

}  // namespace envgen::diagnosis
