#include "model/capability.hpp"

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "model/version.hpp"

namespace envgen {

Expected<Capability> Capability::parse(std::string_view text) {
  const auto bad = [] { return fail(ErrorCode::usage, "not a compute capability (such as 8.6 or sm_86)"); };
  for (const std::string_view prefix : {"sm_", "compute_", "sm"}) {
    if (lower(text.substr(0, prefix.size())) != prefix) continue;
    text.remove_prefix(prefix.size());
    // sm_86, sm_120: the last digit is the minor; sm_90a, sm_120f: code for it that no newer GPU runs.
    if (text.ends_with('a') || text.ends_with('f')) text.remove_suffix(1);
    if (text.size() < 2 || text.size() > 3 || text.find_first_not_of("0123456789") != std::string_view::npos) return bad();
    int major = 0;
    for (const char c : text.substr(0, text.size() - 1)) major = major * 10 + (c - '0');
    return Capability{static_cast<std::uint8_t>(major), static_cast<std::uint8_t>(text.back() - '0')};
  }
  const auto version = Version::parse(text);
  constexpr int largest_major = 99;
  if (!version || version->count() != 2 || version->major() > largest_major || version->minor() > 9) return bad();
  return Capability{static_cast<std::uint8_t>(version->major()), static_cast<std::uint8_t>(version->minor())};
}

std::string Capability::to_string() const { return fmt::format("{}.{}", major, minor); }

Expected<Arch> Arch::parse(std::string_view text) {
  Arch arch;
  if (text.ends_with('a') || text.ends_with('f')) {
    arch.suffix = text.back();
    text.remove_suffix(1);
  }
  auto capability = Capability::parse(text);
  if (!capability) return tl::unexpected(capability.error());
  arch.capability = *capability;
  return arch;
}

std::string Arch::to_string() const {
  auto text = capability.to_string();
  if (suffix != 0) text += suffix;
  return text;
}

}  // namespace envgen
