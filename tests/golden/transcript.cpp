#include "transcript.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

namespace envgen::golden {
namespace {

constexpr std::string_view prompt = "$ envgen";
constexpr std::string_view no_end = "[no end of the line]";

/// What a transcript says itself begins like this.
bool is_marked(std::string_view line) {
  constexpr std::array<std::string_view, 6> marks{prompt, "1> ", "2> ", "[exit ", "[killed ", no_end};
  return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) { return line.starts_with(mark); });
}

/// The first line of a text, with its end, and the text without it.
std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end == std::string_view::npos ? end : end + 1);
  text.remove_prefix(line.size());
  return line;
}

/// Each line behind what `mark` says of it.
std::string marked(std::string_view text, const std::function<std::string_view(std::string_view line)>& mark) {
  std::string result;
  const bool ends = text.empty() || text.back() == '\n';
  while (!text.empty()) {
    const auto line = take_line(text);
    result.append(mark(line)).append(line);
  }
  return ends ? result : result + "\n" + std::string(no_end) + "\n";
}

/// Reads a line letter by letter; a word may be empty, where it is quoted.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  Expected<std::vector<std::string>> read() {
    while (!rest_.empty()) {
      const auto letter = rest_.front();
      const bool ansi = rest_.starts_with("$'");
      if (letter == '\'' || ansi) {
        rest_.remove_prefix(ansi ? 2 : 1);
        if (!take_quoted(ansi)) return fail(ErrorCode::bad_input, "a quote has no end, or an escape is unknown");
        continue;
      }
      rest_.remove_prefix(1);
      if (letter == ' ') {
        inside_ = false;
      } else if (std::string_view("\"\\$`<>|&;()[]{}*?!#~").find(letter) != std::string_view::npos) {
        return fail(ErrorCode::bad_input, std::string("bash would not leave ") + letter + " as it stands: write it in '...'");
      } else {
        word() += letter;
      }
    }
    return words_;
  }

 private:
  std::string& word() {
    if (!inside_) words_.emplace_back();
    inside_ = true;
    return words_.back();
  }

  /// After the quote that begins it; with escapes in $'...'.
  bool take_quoted(bool ansi) {
    auto& word = this->word();
    while (!rest_.empty()) {
      auto letter = rest_.front();
      rest_.remove_prefix(1);
      if (letter == '\'') return true;
      if (ansi && letter == '\\') {
        const auto meant = rest_.empty() ? std::nullopt : escaped(rest_.front());
        if (!meant) return false;
        letter = *meant;
        rest_.remove_prefix(1);
      }
      word += letter;
    }
    return false;
  }

  static std::optional<char> escaped(char letter) {
    switch (letter) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case '\'':
      case '\\':
        return letter;
      default:
        return std::nullopt;
    }
  }

  std::string_view rest_;
  std::vector<std::string> words_;
  bool inside_ = false;
};

}  // namespace

Transcript transcript_of(std::string_view text) {
  Transcript transcript;
  while (!text.empty()) {
    auto line = take_line(text);
    if (line.starts_with(prompt)) {
      if (line.ends_with('\n')) line.remove_suffix(1);
      transcript.steps.push_back({std::string(line.substr(prompt.size())), {}});
    } else {
      (transcript.steps.empty() ? transcript.head : transcript.steps.back().shown) += line;
    }
  }
  return transcript;
}

std::string text_of(const Transcript& transcript) {
  auto text = transcript.head;
  for (const auto& step : transcript.steps) text.append(prompt).append(step.arguments).append("\n").append(step.shown);
  return text;
}

std::string shown(const util::ProcessResult& result) {
  auto text = marked(result.out, [](std::string_view line) -> std::string_view { return is_marked(line) ? "1> " : ""; });
  text += marked(result.err, [](std::string_view) -> std::string_view { return "2> "; });
  if (result.signal != 0) return text + "[" + result.ending() + "]\n";
  return result.exit_status == 0 ? text : text + "[exit " + std::to_string(result.exit_status) + "]\n";
}

Expected<std::vector<std::string>> words_of(std::string_view arguments) { return Words(arguments).read(); }

}  // namespace envgen::golden
