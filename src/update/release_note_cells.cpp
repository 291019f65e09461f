#include "update/release_note_cells.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "model/version.hpp"

namespace envgen::update {
namespace {

/// The words of `CUDA 10.1 (10.1.105 general release, and updates)`, without the first where that is CUDA.
std::vector<std::string_view> words_of(std::string_view label) {
  constexpr std::string_view between = " (),";
  std::vector<std::string_view> words;
  while (true) {
    const auto begin = label.find_first_not_of(between);
    if (begin == std::string_view::npos) break;
    label.remove_prefix(begin);
    words.push_back(label.substr(0, label.find_first_of(between)));
    label.remove_prefix(words.back().size());
  }
  if (!words.empty() && words.front() == "CUDA") words.erase(words.begin());
  return words;
}

}  // namespace

std::optional<CudaRelease> cuda_release(std::string_view label) {
  const auto words = words_of(label);
  const auto first = words.empty() ? std::nullopt : std::optional(Version::parse(words.front()));
  if (!first || !*first || (*first)->count() < 2 || (*first)->count() > 3) return std::nullopt;
  CudaRelease release{(*first)->at(2).to_string(), {}, true};
  std::string digit = "0";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto version = Version::parse(words[i]);
    if (version && version->count() == 3) release.toolkit = words[i];
    if (version) continue;
    const bool update = words[i] == "Update" && i + 1 < words.size();
    if (update) digit = words[i + 1];
    if (update && !std::all_of(digit.begin(), digit.end(), is_digit)) return std::nullopt;
    if (words[i] == "general") break;
    if (words[i] != "GA") release.general = false;
  }
  // The third digit is that of the update up to 13.3; CUDA 13.4 GA is 13.4.1.
  const bool is_digit_of_update = **first < Version(13, 4) && (release.general || digit != "0");
  if (release.toolkit.empty() && is_digit_of_update) release.toolkit = fmt::format("{}.{}", release.minor, digit);
  return release;
}

std::optional<std::string> cuda_major(std::string_view label) {
  const auto words = words_of(label);
  auto first = words.empty() ? std::string_view() : words.front();
  const bool any = first.ends_with(".x");
  if (any) first.remove_suffix(2);
  const auto version = Version::parse(first);
  if (!version) return std::nullopt;
  return any && version->count() == 1 ? std::string(first) : std::string();
}

std::optional<std::string> driver_of(std::string_view cell) {
  for (const std::string_view at_least : {">=", "\u2265"}) {
    if (cell.starts_with(at_least)) cell.remove_prefix(at_least.size());
  }
  cell = without_spaces_around(cell);
  if (cell.empty() || cell.starts_with("N/A")) return std::string();
  const auto end = std::min(cell.find_first_not_of("0123456789."), cell.size());
  const auto rest = without_spaces_around(cell.substr(end));
  if (!DriverVersion::parse(cell.substr(0, end)) || !(rest.empty() || rest.front() == '*' || rest.front() == '['))
    return std::nullopt;
  return std::string(cell.substr(0, end));
}

std::optional<std::string> branch_of(std::string_view cell) {
  constexpr std::size_t digits = 3;
  if (cell.size() != digits + 1 || cell.front() != 'R' || !std::all_of(cell.begin() + 1, cell.end(), is_digit))
    return std::nullopt;
  return std::string(cell.substr(1));
}

}  // namespace envgen::update
