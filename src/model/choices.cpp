#include "model/choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"

namespace envgen {

Expected<std::size_t> parse_choice(std::string_view text, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return i;
  }
  return fail(ErrorCode::usage, fmt::format("{} is not one of {}", in_quotes(text), fmt::join(names, ", ")), {},
              did_you_mean(text, names, 1));
}

}  // namespace envgen
