#include "model/printable.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "model/spelling.hpp"
#include "model/utf8.hpp"

namespace envgen {
namespace {

constexpr auto nowhere = std::string_view::npos;
constexpr std::string_view replacement = "\xef\xbf\xbd";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

void append_hex(std::string& out, unsigned code, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += "0123456789abcdef"[code >> static_cast<unsigned>(shift) & 0xfU];
}

/// `host`, `host:80` or nothing at all, with the marks of a sentence that may follow.
bool is_host(std::string_view authority) {
  const auto end = authority.find_last_not_of("'`)]},;.!");
  authority = authority.substr(0, end == nowhere ? 0 : end + 1);
  std::size_t i = 0;
  while (i < authority.size() &&
         (is_letter(authority[i]) || is_digit(authority[i]) || authority[i] == '.' || authority[i] == '-' || authority[i] == '_'))
    ++i;
  if (i < authority.size() && authority[i] == ':') {
    const auto port = ++i;
    while (i < authority.size() && is_digit(authority[i])) ++i;
    if (i == port) return false;  // `user:` of a password that begins with ? or /
  }
  return i == authority.size();
}

/// `user:pass`: what stands behind the colon is no port. An address of IPv6 is in brackets.
bool begins_login(std::string_view authority) {
  const auto colon = authority.find(':');
  return colon != nowhere && colon > 0 && authority.front() != '[' && colon + 1 < authority.size() &&
         !is_digit(authority[colon + 1]);
}

/// Finds the logins of URLs in one pass: a text of nothing but URLs takes no longer than any other.
class Logins {
 public:
  Logins(std::string_view text, Notation notation) : text_(text), notation_(notation) {}

  /// Behind the `@` of the login of the URL whose authority begins there; `begin` itself: it has none.
  std::size_t end_of_login(std::size_t begin) {
    word_.reach(*this, begin, false);
    const auto authority = text_.substr(begin, std::min(text_.find_first_of("/?#", begin), word_.end) - begin);
    if (const auto at = authority.rfind('@'); at != nowhere) return begin + at + 1;
    // A password that was not encoded may hold a slash, and even a blank.
    if (is_host(authority)) return begin;
    if (word_.at >= begin && word_.at != nowhere) return word_.at + 1;
    if (!begins_login(authority)) return begin;
    line_.reach(*this, begin, true);
    return line_.at >= begin && line_.at != nowhere ? line_.at + 1 : begin;
  }

 private:
  /// A word or a line around a place, and the last `@` in it.
  struct Stretch {
    std::size_t end = 0;
    std::size_t at = nowhere;

    void reach(const Logins& logins, std::size_t begin, bool with_blanks) {
      if (begin < end) return;
      end = logins.end_of_stretch(begin, with_blanks);
      const auto last = logins.text_.substr(begin, end - begin).rfind('@');
      at = last == nowhere ? nowhere : begin + last;
    }
  };

  std::size_t end_of_stretch(std::size_t i, bool with_blanks) const {
    for (; i < text_.size(); ++i) {
      const char c = text_[i];
      const auto byte = static_cast<unsigned char>(c);
      if (is_blank(c) ? !with_blanks : byte < ' ' || byte == 0x7f) return i;
      if (notation_ == Notation::markup && (c == '"' || c == '<')) return i;
      if (notation_ != Notation::json) continue;
      if (c == '"') return i;
      if (c != '\\') continue;
      const bool quoted = i + 1 < text_.size() && (text_[i + 1] == '"' || text_[i + 1] == '\\');
      if (!quoted) return i;
      ++i;
    }
    return i;
  }

  std::string_view text_;
  Notation notation_;
  Stretch word_;
  Stretch line_;
};

/// Where the authority of a URL begins whose scheme ends with the colon at `colon`; 0: there is no URL. A path of a file system
/// has lost one of the two slashes, and people type a third.
std::size_t authority_behind(std::string_view text, std::size_t colon) {
  if (colon == 0 || !(is_letter(text[colon - 1]) || is_digit(text[colon - 1]))) return 0;
  const auto scheme = text.substr(0, colon);
  if (scheme.ends_with("http") || scheme.ends_with("https")) return std::min(text.find_first_not_of('/', colon + 1), text.size());
  if (text.substr(colon).starts_with("://")) return colon + 3;
  const auto begin = colon + 2;  // `name:/data@1` is no URL
  return begins_login(text.substr(begin, text.find_first_of("/@", begin) - begin)) ? begin : 0;
}

std::string without_logins(std::string_view text, Notation notation) {
  if (text.find('@') == nowhere) return std::string(text);
  std::string safe;
  safe.reserve(text.size());
  Logins logins(text, notation);
  std::size_t copied = 0;
  for (auto colon = text.find(":/"); colon != nowhere; colon = text.find(":/", std::max(colon + 1, copied))) {
    const auto begin = authority_behind(text, colon);
    if (begin == 0) continue;
    const auto end = logins.end_of_login(begin);
    if (end == begin) continue;
    safe.append(text.substr(copied, begin - copied)).append("***@");
    copied = end;
  }
  return safe.append(text.substr(copied));
}

/// `access_token`, `X-Amz-Signature`, `sig`: what people call a secret in a URL.
bool names_secret(std::string_view name) {
  std::string small(name);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const std::string_view whole : {"auth", "key", "pwd", "sig"}) {
    if (small == whole) return true;
  }
  for (const std::string_view part : {"apikey", "api-key", "api_key", "credential", "passw", "secret", "signature", "token"}) {
    if (small.find(part) != std::string::npos) return true;
  }
  return false;
}

/// The name of a URL's parameter that ends at `equals`; empty: none does.
std::string_view parameter_before(std::string_view text, std::size_t equals) {
  constexpr std::size_t longest = 40;
  auto begin = equals;
  const auto is_part = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; };
  while (begin > 0 && equals - begin < longest && is_part(text[begin - 1])) --begin;
  // In markup `&` is `&amp;`.
  if (begin == 0 || std::string_view("?&#;").find(text[begin - 1]) == nowhere) return {};
  return text.substr(begin, equals - begin);
}

std::string without_parameters(const std::string& text) {
  const std::string_view whole(text);
  std::string safe;
  std::size_t copied = 0;
  for (auto equals = whole.find('='); equals != nowhere; equals = whole.find('=', equals + 1)) {
    const auto name = equals < copied ? std::string_view() : parameter_before(whole, equals);
    if (name.empty() || !names_secret(name)) continue;
    const auto end = std::find_if(whole.begin() + static_cast<std::ptrdiff_t>(equals) + 1, whole.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte <= ' ' || byte == 0x7f || std::string_view("\"'`<>&#;)\\").find(c) != nowhere;
    });
    const auto stop = static_cast<std::size_t>(end - whole.begin());
    if (stop == equals + 1) continue;
    safe.append(whole.substr(copied, equals + 1 - copied)).append("***");
    copied = stop;
  }
  return copied == 0 ? text : safe.append(whole.substr(copied));
}

/// `##[`, or `##` and a name before the bracket.
bool begins_bracketed(std::string_view text) {
  if (!text.starts_with("##")) return false;
  const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 2);
  return end != nowhere && text[end] == '[';
}

/// What may stand before a command in its line. GitHub's runner trims the white space of Unicode and compares as .NET does, which
/// overlooks characters without width: so whatever is no visible ASCII.
bool overlooked(char c) { return c <= ' ' || c >= 0x7f; }

void append_spelled(std::string& out, char c, Notation notation) {
  const unsigned code = static_cast<unsigned char>(c);
  switch (notation) {
    case Notation::json:
      out += "\\u";
      append_hex(out, code, 4);
      return;
    case Notation::markup:
      out += "&#" + std::to_string(code) + ";";
      return;
    case Notation::text:
      break;
  }
  out += "\\x";
  append_hex(out, code, 2);
}

/// The number of a character of two or three bytes, as all control characters beyond ASCII are.
unsigned code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 1) return byte(0);
  if (character.size() == 2) return (byte(0) & 0x1fU) << 6U | (byte(1) & 0x3fU);
  return (byte(0) & 0xfU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU);
}

void append_control(std::string& out, std::string_view character, bool broken, Notation notation) {
  if (notation == Notation::markup || (notation == Notation::json && broken)) {
    out += replacement;
  } else if (notation == Notation::json) {
    out += "\\u";
    append_hex(out, code_of(character), 4);
  } else {
    for (const char c : character) append_spelled(out, c, notation);
  }
}

/// What util::bold and util::dim write.
std::size_t length_of_style(std::string_view text) {
  for (const std::string_view style : {"\x1b[0m", "\x1b[1m", "\x1b[2m"}) {
    if (text.starts_with(style)) return style.size();
  }
  return 0;
}

bool stands_for_itself(char c) { return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t'; }

/// True when eight bytes are visible ASCII, asked of all at once: none has its high bit, none is below the blank, none is DEL.
bool eight_visible(const char* bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const auto below = [&](std::uint64_t x, std::uint64_t limit) { return (x - ones * limit) & ~x & high; };
  return ((word & high) | below(word, ' ') | below(word ^ (ones * 0x7f), 1)) == 0;
}

/// How many bytes at the beginning stand for themselves: of an answer in JSON, all of them.
std::size_t length_of_plain(std::string_view text) {
  for (std::size_t i = 0;; ++i) {
    while (i + 8 <= text.size() && eight_visible(text.data() + i)) i += 8;
    if (i == text.size() || !stands_for_itself(text[i])) return i;
  }
}

}  // namespace

std::string without_secrets(std::string_view text, Notation notation) {
  return without_parameters(without_logins(text, notation));
}

std::string without_commands(std::string_view text, Notation notation) {
  // Nearly all texts: no command is without one of these.
  if (text.find("::") == nowhere && text.find("##") == nowhere) return std::string(text);
  std::string safe;
  safe.reserve(text.size());
  bool beginning = true;  // nothing but what is overlooked stands before it in its line
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool command =
        (c == ':' && beginning && text.substr(i).starts_with("::")) || (c == '#' && begins_bracketed(text.substr(i)));
    if (command) {
      append_spelled(safe, c, notation);
    } else {
      safe += c;
    }
    beginning = c == '\n' || c == '\r' || (beginning && overlooked(c));
  }
  return safe;
}

std::string without_controls(std::string_view text, Notation notation, bool coloured) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const auto plain = length_of_plain(text);
    safe.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto style = coloured ? length_of_style(text) : 0;
    const auto length = utf8_length(text);
    const auto character = text.substr(0, style > 0 ? style : std::max<std::size_t>(length, 1));
    if (style > 0 || (length > 0 && !is_control(character))) {
      safe.append(character);
    } else {
      append_control(safe, character, length == 0, notation);
    }
    text.remove_prefix(character.size());
  }
  return safe;
}

std::string printable(std::string_view text, Notation notation, bool coloured) {
  return without_commands(without_controls(without_secrets(text, notation), notation, coloured), notation);
}

}  // namespace envgen
