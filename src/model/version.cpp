#include "model/version.hpp"

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen {

Expected<Version> Version::parse(std::string_view text) {
  constexpr std::uint32_t largest_part = 65535;
  const auto bad = [&](std::string_view why) {
    return fail(ErrorCode::usage, fmt::format("{} ({})", "not a version number", why));
  };
  if (text.empty()) return bad("it is empty");
  Version result;
  std::uint32_t part = 0;
  bool any_digit = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '.';
    if (is_digit(c)) {
      part = part * 10 + static_cast<std::uint32_t>(c - '0');
      if (part > largest_part) return bad("a part is larger than 65535");
      any_digit = true;
    } else if (c == '.') {
      if (!any_digit) return bad("a part is empty");
      if (result.count() == max_parts) return bad("more than four parts");
      result.key_ |= shift(static_cast<std::uint16_t>(part), result.count());
      ++result.count_;
      part = 0;
      any_digit = false;
    } else {
      return bad("only digits and dots are allowed");
    }
  }
  return result;
}

std::string Version::to_string() const {
  switch (count_) {
    case 0:
      return {};
    case 1:
      return fmt::format("{}", part(0));
    case 2:
      return fmt::format("{}.{}", part(0), part(1));
    case 3:
      return fmt::format("{}.{}.{}", part(0), part(1), part(2));
    default:
      return fmt::format("{}.{}.{}.{}", part(0), part(1), part(2), part(3));
  }
}

Expected<DriverVersion> DriverVersion::parse(std::string_view text) {
  auto version = Version::parse(text);
  if (!version) return tl::unexpected(version.error());
  if (version->count() > 3) return fail(ErrorCode::usage, "not a driver version (at most three parts, as in 535.183.01)");
  return DriverVersion(*version);
}

std::string DriverVersion::to_string() const {
  switch (version_.count()) {
    case 0:
      return {};
    case 1:
      return fmt::format("{}", version_.part(0));
    case 2:
      return fmt::format("{}.{:02}", version_.part(0), version_.part(1));
    default:
      return fmt::format("{}.{:02}.{:02}", version_.part(0), version_.part(1), version_.part(2));
  }
}

}  // namespace envgen
