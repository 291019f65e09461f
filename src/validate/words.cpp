#include "validate/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/recognise.hpp"

namespace envgen::validate {

const diagnosis::Diagnosis* recognised(const std::vector<std::string>& words) {
  const auto found = diagnosis::recognise(fmt::format("{}", fmt::join(words, "\n")));
  return found.empty() ? nullptr : found.front().diagnosis;
}

std::string with_words(const std::string& why, const std::vector<std::string>& words) {
  return words.empty() ? why : fmt::format("{}: {}", why, fmt::join(words, " "));
}

}  // namespace envgen::validate
