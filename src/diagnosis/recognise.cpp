#include "diagnosis/recognise.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "diagnosis/pattern.hpp"
#include "diagnosis/ranking.hpp"
#include "diagnosis/readable.hpp"
#include "diagnosis/word_finder.hpp"
#include "model/printable.hpp"
#include "model/utf8.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 16;  // a longer one is read in parts
constexpr std::size_t overlap = 2048;                       // of two such parts: no wording is cut
constexpr std::size_t narrowest = 60;                       // columns of what wraps lines
constexpr std::size_t shortest = 40;                        // of a line that a margin ended
constexpr std::size_t before_match = 80;                    // bytes that evidence of a long line shows before the wording

/// At most `longest_evidence` bytes of a line, from shortly before the place that matched, and no character cut; dots stand for
/// what is left out. Half a URL would show the password that a whole one has not any more.
std::string excerpt(std::string_view whole, std::size_t place) {
  auto text = without_secrets(whole);
  place = std::min(without_secrets(whole.substr(0, place)).size(), text.size());
  const auto is_inside = [&](std::size_t i) { return i > 0 && i < text.size() && is_utf8_tail(text[i]); };
  if (text.size() <= longest_evidence) return text;
  constexpr std::string_view dots = "...";
  auto begin = place - std::min(place, before_match);
  while (is_inside(begin)) ++begin;
  auto end = std::min(begin + longest_evidence - 2 * dots.size(), text.size());
  while (is_inside(end)) --end;
  return fmt::format("{}{}{}", begin > 0 ? dots : "", text.substr(begin, end - begin), end < text.size() ? dots : "");
}

/// All wordings, and what finds them.
struct Wordings {
  std::vector<Pattern> patterns = all_patterns();
  std::vector<std::vector<std::uint32_t>> anchored;  ///< the patterns of each word
  std::vector<bool> names;                           ///< whether a line with the word may name a part of the environment
  std::vector<std::string> words;
  WordFinder finder;

  Wordings() : words(collect()), finder(words) {}

 private:
  std::vector<std::string> collect() {
    std::vector<std::string> unique;
    std::unordered_map<std::string, std::size_t> places;
    const auto place_of = [&](std::string_view word) {
      const auto [place, is_new] = places.emplace(word, unique.size());
      if (is_new) {
        unique.emplace_back(word);
        anchored.emplace_back();
        names.push_back(false);
      }
      return place->second;
    };
    for (std::uint32_t i = 0; i < patterns.size(); ++i)
      anchored[place_of(patterns[i].fragments[patterns[i].anchor])].push_back(i);
    for (const auto word : NamedInLog::words()) names[place_of(word)] = true;
    return unique;
  }
};

const Wordings& wordings() {
  static const Wordings made;
  return made;
}

struct Line {
  std::string readable;
  std::string folded;
  std::size_t number = 0;                 ///< of the file's line
  std::size_t ordinal = 0;                ///< among all lines, also those within one of the file
  std::size_t width = 0;                  ///< of the whole line; 0 where more of the same line follows
  WordFinder::State state = 0;            ///< of the finder at its end
  std::vector<std::uint32_t> unfinished;  ///< patterns of which a part stands here
};

/// Whether a line asks torch for CUDA at a prompt, or by python -c: the answer stands below it.
bool is_question(const Line& line) {
  constexpr std::string_view question = "torch.cuda.is_available()";
  const auto at = line.folded.rfind(question);
  return at != std::string::npos && line.folded.find_first_not_of(")' ", at + question.size()) == std::string::npos;
}

/// Whether a line may go on in the next one because a margin ended it, at that margin or where the next word was too long, or
/// because it is a question.
bool goes_on(const Line& line, const Line& next) {
  if (next.readable.empty()) return false;
  if (is_question(line)) return true;
  if (line.width == 0) return false;
  return line.width >= shortest || line.width + std::min(next.readable.find(' '), next.readable.size()) >= narrowest;
}

struct Match {
  const Pattern* pattern = nullptr;
  std::size_t place = 0;
};

}  // namespace

class Recogniser::Log {
 public:
  void feed(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto end = bytes.find('\n');
      const bool ended = end != std::string_view::npos;
      take_part(bytes.substr(0, end), ended);
      bytes.remove_prefix(ended ? end + 1 : bytes.size());
    }
  }

  Seen seen(const std::function<bool(std::string_view)>& is_board) const { return named_.seen(is_board); }

  std::vector<Finding> finish() {
    if (!held_.empty()) read_line(held_);
    forget_lines();
    if (const auto& line = named_.too_old_driver()) {
      const auto* const row = find("cuda-35-old-driver");
      auto& sign = sign_of(*row);
      if (!sign.sure) sign.finding = {row, {line->line, excerpt(line->text, 0)}};
      sign.sure = true;
    }
    // Where torch only finds no CUDA, its version says whether it has any.
    if (const auto cpu = named_.has_cpu_torch()) {
      sign_of(*find(*cpu ? "cuda-35-no-driver" : "torch-cpu-build")).contradicted = true;
    }
    return ranked(std::move(signs_));
  }

 private:
  /// A part of a line. What is too long to be held is read at once, and its end again with what follows.
  void take_part(std::string_view part, bool ended) {
    if (held_.empty() && ended && part.size() <= longest_line) {
      read_line(part);
    } else {
      for (;;) {
        const auto room = std::min(longest_line - held_.size(), part.size());
        held_.append(part.substr(0, room));
        part.remove_prefix(room);
        if (held_.size() < longest_line) break;
        read_line(held_);
        held_.erase(0, held_.size() - overlap);
      }
      if (!ended) return;
      read_line(held_);
      held_.clear();
    }
    ++number_;
  }

  void read_line(std::string_view line) {
    for_each_readable(line, [this](std::string_view readable) { read(readable); });
    lines_.back().width = line.size();
  }

  void read(std::string_view readable) {
    if (readable.empty()) {
      forget_lines();
      return;
    }
    forgotten_ = false;
    std::rotate(lines_.begin(), lines_.begin() + 1, lines_.end());
    auto& line = lines_.back();
    line.readable = readable;
    fold(line.readable, line.folded);
    line.number = number_;
    line.ordinal = ++ordinal_;
    line.width = 0;
    line.unfinished.clear();
    matches_.clear();
    names_ = false;
    line.state = WordFinder::start;
    const auto& finder = wordings().finder;
    for (std::size_t i = 0; i < line.folded.size(); ++i) {
      line.state = finder.next(line.state, line.folded[i]);
      if (finder.any_at(line.state)) anchors_end(line, i + 1);
    }
    take(matches_, line, line.ordinal);
    if (names_) named_.read(line.readable, line.folded, line.number);
    auto& before = lines_[window - 2];
    if (goes_on(before, line)) anchors_across(before, line);
    match_wrapped();
  }

  void anchors_end(Line& line, std::size_t end) {
    for (const auto word : wordings().finder.words_at(line.state)) {
      names_ = names_ || wordings().names[word];
      const auto at = end - wordings().words[word].size();
      for (const auto number : wordings().anchored[word]) {
        const auto& pattern = wordings().patterns[number];
        if (const auto begin = pattern.match_at(line.folded, at)) {
          matches_.push_back({&pattern, *begin});
        } else if (pattern.fragments.size() > 1 && line.unfinished.size() < most_unfinished && !is_sure(*pattern.diagnosis)) {
          line.unfinished.push_back(number);
        }
      }
    }
  }

  /// Words that begin at the end of one line and end in the next, which goes on behind its own prefix.
  void anchors_across(Line& before, const Line& line) const {
    const auto& finder = wordings().finder;
    const auto rest = std::string_view(line.folded).substr(prefix_length(line.readable));
    for (auto state : {before.state, finder.next(before.state, ' ')}) {
      for (std::size_t i = 0; i < rest.size() && finder.depth(state) > i; ++i) {
        state = finder.next(state, rest[i]);
        for (const auto word : finder.words_at(state)) {
          const auto& numbers = wordings().anchored[word];
          if (wordings().words[word].size() > i + 1)
            before.unfinished.insert(before.unfinished.end(), numbers.begin(), numbers.end());
        }
      }
    }
  }

  /// Patterns of which the second line held a part: in those that may be one line with it, which was broken between words or
  /// within one.
  void match_wrapped() {
    auto& held = lines_[1];
    if (held.unfinished.empty()) return;
    std::sort(held.unfinished.begin(), held.unfinished.end());
    held.unfinished.erase(std::unique(held.unfinished.begin(), held.unfinished.end()), held.unfinished.end());
    const std::size_t first = goes_on(lines_[0], held) ? 0 : 1;
    std::size_t last = 1;
    while (last + 1 < window && goes_on(lines_[last], lines_[last + 1])) ++last;
    for (const std::string_view between : {" ", ""}) {
      if (first == last) break;
      Line whole;
      std::array<std::size_t, window> begins{};
      for (auto i = first; i <= last; ++i) {
        if (i > first) whole.readable += between;
        begins[i] = whole.readable.size();
        whole.readable.append(lines_[i].readable, i == first ? 0 : prefix_length(lines_[i].readable));
      }
      fold(whole.readable, whole.folded);
      for (const auto number : held.unfinished) {
        const auto& pattern = wordings().patterns[number];
        const auto place = pattern.match(whole.folded);
        if (!place) continue;
        auto line = last;
        while (begins[line] > *place) --line;
        whole.number = lines_[line].number;
        whole.ordinal = lines_[line].ordinal;
        take({{&pattern, *place}}, whole, lines_[last].ordinal);
      }
    }
    held.unfinished.clear();
  }

  /// What one line says, or several as one. A line that is sure of something is not also a general one.
  void take(const std::vector<Match>& matches, const Line& line, std::size_t last) {
    const bool sure =
        std::any_of(matches.begin(), matches.end(), [](const Match& match) { return match.pattern->force == Force::sure; });
    for (const auto& match : matches) {
      const auto force = match.pattern->force;
      if (force == Force::general && sure) continue;
      auto& sign = sign_of(*match.pattern->diagnosis);
      if (force == Force::hint || force == Force::contrary) {
        (force == Force::hint ? sign.hinted : sign.contradicted) = true;
        continue;
      }
      sign.needs_hint = match.pattern->needs_hint && (sign.needs_hint || sign.finding.diagnosis == nullptr);
      const bool surer = force == Force::sure && !sign.sure;
      if (sign.finding.diagnosis != nullptr && !surer) continue;
      sign.sure = sign.sure || force == Force::sure;
      sign.finding = {match.pattern->diagnosis, {line.number, excerpt(line.readable, match.place)}};
      sign.first = line.ordinal;
      sign.last = last;
    }
  }

  bool is_sure(const Diagnosis& diagnosis) const {
    const auto place = places_.find(&diagnosis);
    return place != places_.end() && signs_[place->second].sure;
  }

  Sign& sign_of(const Diagnosis& diagnosis) {
    const auto [place, is_new] = places_.emplace(&diagnosis, signs_.size());
    if (is_new) signs_.emplace_back();
    return signs_[place->second];
  }

  /// What comes next does not go on with what was before: no line follows the last ones.
  void forget_lines() {
    if (forgotten_) return;  // a log may hold millions of blank lines
    forgotten_ = true;
    for (std::size_t i = 2; i < window; ++i) {
      std::rotate(lines_.begin(), lines_.begin() + 1, lines_.end());
      lines_.back() = {};
      match_wrapped();
    }
    lines_ = {};
  }

  static constexpr std::size_t window = 4;  // lines that a wording may be wrapped over
  static constexpr std::size_t most_unfinished = 64;

  std::string held_;  ///< the beginning of a line whose end has not come
  std::size_t number_ = 1;
  std::size_t ordinal_ = 0;
  std::array<Line, window> lines_;  ///< the last ones
  bool forgotten_ = true;           ///< there are none
  std::vector<Match> matches_;
  bool names_ = false;  ///< this line may name a part of the environment
  NamedInLog named_;
  std::vector<Sign> signs_;
  std::unordered_map<const Diagnosis*, std::size_t> places_;
};

Recogniser::Recogniser() : log_(std::make_unique<Log>()) {}
Recogniser::~Recogniser() = default;
void Recogniser::feed(std::string_view bytes) { log_->feed(bytes); }
std::vector<Finding> Recogniser::finish() { return log_->finish(); }
Seen Recogniser::seen(const std::function<bool(std::string_view)>& is_board) const { return log_->seen(is_board); }

std::vector<Finding> recognise(std::string_view text) {
  Recogniser recogniser;
  recogniser.feed(text);
  return recogniser.finish();
}

}  // namespace envgen::diagnosis
