#include "inspect/contradictions.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "inspect/places.hpp"
#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

std::string public_part(std::string_view version) { return std::string(version.substr(0, version.find('+'))); }

/// `cu128` of `2.9.1+cu128.with.pypi.cudnn`, `cpu`; empty: the local part names something else, or is missing.
std::string tag_of(std::string_view version) {
  const auto plus = version.find('+');
  if (plus == std::string_view::npos) return {};
  const auto tag = lower(version.substr(plus + 1, version.find('.', plus) - plus - 1));
  const bool of_cuda = tag.size() > 3 && tag.starts_with("cu") && std::all_of(tag.begin() + 2, tag.end(), is_digit);
  return of_cuda || tag == "cpu" ? tag : std::string();
}

/// The words and numbers of a version: `2.09.1-Alpha.2` is 2 9 1 a 2; zeros at the end of the release do not count.
std::vector<std::string> words_of(std::string_view version) {
  std::vector<std::string> words;
  const auto drop_zeros = [&] {
    while (words.size() > 1 && words.back() == "0") words.pop_back();
  };
  bool in_release = true;
  const auto text = lower(version);
  for (std::size_t at = 0; at < text.size();) {
    const auto same = [&](char c) { return is_digit(text[at]) ? is_digit(c) : is_letter(text[at]) && is_letter(c); };
    const auto end = static_cast<std::size_t>(std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), same) -
                                              text.begin());
    auto word = text.substr(at, end - at);
    if (word.empty()) {  // a joint, or what stands in no version
      if (text[at] != '.' && text[at] != '-' && text[at] != '_') words.emplace_back(1, text[at]);
      ++at;
      continue;
    }
    at = end;
    if (is_digit(word.front())) {
      word.erase(0, std::min(word.find_first_not_of('0'), word.size() - 1));
    } else {
      if (in_release && word != "v") {
        drop_zeros();
        in_release = false;
      }
      if (word == "alpha") word = "a";
      if (word == "beta") word = "b";
      if (word == "c" || word == "pre" || word == "preview") word = "rc";
      if (word == "v" && words.empty()) continue;
    }
    words.push_back(std::move(word));
  }
  if (in_release) drop_zeros();
  return words;
}

/// The project and the version in the name of a wheel.
std::optional<std::pair<std::string, std::string>> name_of_file(std::string_view origin) {
  auto name = file_name(origin);
  constexpr std::string_view suffix = ".whl";
  if (!name.ends_with(suffix) || std::count(name.begin(), name.end(), '-') < 4) return std::nullopt;
  const auto end = name.find('-');
  auto version = std::string(name.substr(end + 1, name.find('-', end + 1) - end - 1));
  // As a URL has it, and what is saved under its last part.
  if (const auto plus = version.find("%2B"); plus != std::string::npos) version.replace(plus, 3, "+");
  return std::pair(std::string(name.substr(0, end)), std::move(version));
}

std::string both(std::string_view first, std::string_view its, std::string_view second, std::string_view other) {
  return fmt::format("{} says {}, but {} says {}", first, in_one_line(its), second, in_one_line(other));
}

}  // namespace

bool is_one_version(std::string_view a, std::string_view b) {
  const auto tag = tag_of(a);
  const auto other = tag_of(b);
  return words_of(public_part(a)) == words_of(public_part(b)) && (tag.empty() || other.empty() || tag == other);
}

std::vector<std::string> contradictions_of_name(const std::string& origin, const Metadata& metadata) {
  std::vector<std::string> all;
  const auto name = name_of_file(origin);
  if (!name) return all;
  if (normalised_name(name->first) != normalised_name(metadata.name))
    all.push_back(both("the file name", name->first, "METADATA", metadata.name));
  if (!is_one_version(name->second, metadata.version))
    all.push_back(both("the file name", name->second, "METADATA", metadata.version));
  return all;
}

std::vector<std::string> contradictions_of(const Inspected& inspected, const std::vector<TorchBuild>& builds) {
  std::vector<std::string> all;
  const auto is_torch = [](const Package& package) { return package.metadata.name == "torch"; };
  const bool one_of_each =
      builds.size() == 1 && std::count_if(inspected.packages.begin(), inspected.packages.end(), is_torch) == 1;
  for (const auto& build : builds) {
    const bool of_image = !build.folder.empty();
    const auto version_py = of_image ? in_one_line(build.folder + "/torch/version.py") : std::string("torch/version.py");
    for (const auto& package : inspected.packages) {
      if (!is_torch(package) || (!one_of_each && packages_folder(package.folder) != build.folder)) continue;
      if (!build.version.empty() && !is_one_version(package.metadata.version, build.version))
        all.push_back(both(of_image ? in_one_line(package.folder + "/METADATA") : "METADATA", package.metadata.version,
                           version_py, build.version));
    }
    const auto tag = tag_of(build.version);
    const auto by_cuda = build.cuda ? fmt::format("cu{}{}", build.cuda.major(), build.cuda.minor()) : std::string("cpu");
    if (!tag.empty() && tag != by_cuda && build.cuda_problem.empty())
      all.push_back(fmt::format("{} says {}, but {}", version_py, in_one_line(build.version),
                                build.cuda ? "CUDA " + build.cuda.to_string() : "no CUDA"));
  }
  return all;
}

}  // namespace envgen::inspect
