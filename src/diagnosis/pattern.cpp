#include "diagnosis/pattern.hpp"

#include <algorithm>
#include <array>

#include "diagnosis/readable.hpp"
#include "model/spelling.hpp"

namespace envgen::diagnosis {
namespace {

/// Whether a fragment that stands at `at` ends and begins where its numbers do.
bool whole_numbers(std::string_view folded, std::size_t at, std::string_view fragment) {
  const auto end = at + fragment.size();
  if (is_digit(fragment.front()) && at > 0 && is_digit(folded[at - 1])) return false;
  return !(is_digit(fragment.back()) && end < folded.size() && is_digit(folded[end]));
}

/// How programs print what CUDA returned, where they print its number.
constexpr std::array number_forms{"CUDA error #",
                                  "CUDA error: #",
                                  "CUDA error (#)",
                                  "CUDA error(#)",
                                  "CUDA error = #",
                                  "CUDA error=#",
                                  "CUDA error code #",
                                  "CUDA error code: #",
                                  "CUDA error code=#",
                                  "CUDA runtime error #",
                                  "CUDA runtime error: #",
                                  "CUDA runtime error (#)",
                                  "CUDA runtime error(#)",
                                  "CUDA failure #",
                                  "CUDA driver error: #",
                                  "cuda * error code=#",
                                  "cuda * error code: #",
                                  "cuda * error code #",
                                  "cuda * return code #",
                                  "cudaError #",
                                  "cudaError: #",
                                  "cudaError(#)",
                                  "cudaError_t #",
                                  "cudaError_t(#)",
                                  "CUresult #",
                                  "CUresult(#)",
                                  "cuInit returned #",
                                  "cuInit(0) returned #",
                                  "cuInit err: #",
                                  "nvcuda init failure: #",
                                  "cuda driver library init failure: #",
                                  "cudaGetDeviceCount returned #",
                                  "cudaGetDeviceCount failed with error #",
                                  "CUDA initialization failure with error #",
                                  "CUDA initialization failure with error: #",
                                  "(error #) ]]",
                                  "cudaSuccess (# vs. 0)",
                                  "cudaStat (0 vs. #)",
                                  "code=#(cuda"};

std::string folded_fragment(std::string_view text) {
  std::string folded;
  fold(without_spaces_around(text), folded);
  return folded;
}

Pattern pattern_of(const Diagnosis& diagnosis, std::string_view text) {
  Pattern pattern;
  pattern.diagnosis = &diagnosis;
  if (text.starts_with("? ") || text.starts_with("& ") || text.starts_with("- ") || text.starts_with("+ ")) {
    const char mark = text.front();
    pattern.force = mark == '+' ? Force::hint : mark == '-' ? Force::contrary : Force::general;
    pattern.needs_hint = mark == '&';
    text.remove_prefix(2);
  }
  constexpr std::string_view exclusion = " !! ";
  for (auto place = text.rfind(exclusion); place != std::string_view::npos; place = text.rfind(exclusion)) {
    pattern.without.push_back(folded_fragment(text.substr(place + exclusion.size())));
    text = text.substr(0, place);
  }
  for (const auto part : parts(text, '*')) pattern.fragments.push_back(folded_fragment(part));
  pattern.number_follows = pattern.fragments.back().ends_with('#');
  pattern.name_ends = pattern.fragments.back().ends_with('|');
  if (pattern.number_follows || pattern.name_ends) pattern.fragments.back().pop_back();
  constexpr std::size_t telling = 12;  // bytes that are rare enough
  auto anchor = std::find_if(pattern.fragments.begin(), pattern.fragments.end(),
                             [](const std::string& fragment) { return fragment.size() >= telling; });
  if (anchor == pattern.fragments.end())
    anchor = std::max_element(pattern.fragments.begin(), pattern.fragments.end(),
                              [](const auto& one, const auto& other) { return one.size() < other.size(); });
  pattern.anchor = static_cast<std::size_t>(anchor - pattern.fragments.begin());
  return pattern;
}

}  // namespace

std::optional<std::size_t> Pattern::match_at(std::string_view folded, std::size_t at) const {
  if (!whole_numbers(folded, at, fragments[anchor])) return std::nullopt;
  auto begin = at;
  for (auto i = anchor; i-- > 0;) {
    const auto from = begin - std::min(begin, widest_gap);
    const auto before = folded.substr(from, begin - from);
    auto place = before.rfind(fragments[i]);
    while (place != std::string_view::npos && !whole_numbers(folded, from + place, fragments[i]))
      place = place == 0 ? std::string_view::npos : before.rfind(fragments[i], place - 1);
    if (place == std::string_view::npos) return std::nullopt;
    begin = from + place;
  }
  auto end = at + fragments[anchor].size();
  for (auto i = anchor + 1; i < fragments.size(); ++i) {
    const auto after = folded.substr(end, widest_gap + fragments[i].size());
    auto place = after.find(fragments[i]);
    while (place != std::string_view::npos && !whole_numbers(folded, end + place, fragments[i]))
      place = after.find(fragments[i], place + 1);
    if (place == std::string_view::npos) return std::nullopt;
    end += place + fragments[i].size();
  }
  if (number_follows && (end >= folded.size() || !is_digit(folded[end]) || folded[end] == '0')) return std::nullopt;
  if (name_ends && end < folded.size() &&
      (is_letter(folded[end]) || is_digit(folded[end]) || folded[end] == '-' || folded[end] == '_'))
    return std::nullopt;
  const bool excluded =
      std::any_of(without.begin(), without.end(), [&](const auto& text) { return folded.find(text) != std::string_view::npos; });
  return excluded ? std::nullopt : std::optional(begin);
}

std::optional<std::size_t> Pattern::match(std::string_view folded) const {
  const auto& word = fragments[anchor];
  for (auto at = folded.find(word); at != std::string_view::npos; at = folded.find(word, at + 1)) {
    if (const auto begin = match_at(folded, at)) return begin;
  }
  return std::nullopt;
}

std::vector<Pattern> patterns_of(const Diagnosis& diagnosis) {
  std::vector<Pattern> patterns;
  for (const auto line : parts(diagnosis.patterns, '\n')) patterns.push_back(pattern_of(diagnosis, line));
  for (auto number : parts(diagnosis.numbers, ' ')) {
    const bool general = number.starts_with('?');
    if (general) number.remove_prefix(1);
    for (std::string form : number_forms) {
      form.replace(form.find('#'), 1, number);
      patterns.push_back(pattern_of(diagnosis, general ? "? " + form : form));
    }
  }
  return patterns;
}

std::vector<Pattern> all_patterns() {
  std::vector<Pattern> patterns;
  for (const auto& diagnosis : all()) {
    auto own = patterns_of(diagnosis);
    patterns.insert(patterns.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  return patterns;
}

}  // namespace envgen::diagnosis
