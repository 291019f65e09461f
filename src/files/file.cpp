#include "files/file.hpp"

#include "util/sha256.hpp"

namespace envgen::files {
namespace {

constexpr std::size_t sum_length = 64;
constexpr std::string_view before_project = " of ";

/// Where the sum begins; npos: there is no mark.
std::size_t sum_place(std::string_view text) {
  const auto mark = text.find(mark_begin);
  if (mark == std::string_view::npos || text.size() < mark + mark_begin.size() + sum_length) return std::string_view::npos;
  return mark + mark_begin.size();
}

std::string sum_without(std::string_view text, std::size_t place) {
  util::Sha256 sum;
  sum.add(text.substr(0, place));
  sum.add(text.substr(place + sum_length));
  return sum.hex();
}

}  // namespace

std::string unsealed_mark() { return std::string(mark_begin) + std::string(sum_length, '0'); }

std::string seal(std::string text) {
  const auto place = sum_place(text);
  if (place != std::string::npos) text.replace(place, sum_length, sum_without(text, place));
  return text;
}

std::string sealed_for(std::string text, std::string_view project) {
  const auto place = sum_place(text);
  if (place != std::string::npos) text.insert(place + sum_length, std::string(before_project).append(project));
  return seal(std::move(text));
}

std::string_view project_of(std::string_view text) {
  const auto place = sum_place(text);
  if (place == std::string_view::npos) return {};
  text.remove_prefix(place + sum_length);
  if (!text.starts_with(before_project)) return {};
  text.remove_prefix(before_project.size());
  return text.substr(0, text.find('\n'));
}

State state_of(std::string_view text) {
  const auto place = sum_place(text);
  if (place == std::string_view::npos) return State::unmarked;
  return text.substr(place, sum_length) == sum_without(text, place) ? State::untouched : State::edited;
}

}  // namespace envgen::files
