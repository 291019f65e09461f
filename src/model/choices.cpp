#include "model/choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"

namespace envgen {

Expected<std::size_t> parse_choice(std::string_view text, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return i;
  }
  std::vector<std::string> hints;
  for (const auto& near : nearest_spellings(text, names, 1)) hints.push_back(fmt::format("did you mean {}?", near));
  return fail(ErrorCode::usage, fmt::format("{} is not one of {}", in_quotes(text), fmt::join(names, ", ")), {},
              std::move(hints));
}

}  // namespace envgen
