#include "model/python_version.hpp"

#include <fmt/format.h>

namespace envgen {

Expected<PythonVersion> PythonVersion::parse(std::string_view text) {
  constexpr int largest_minor = 31;
  const auto bad = [] { return fail(ErrorCode::usage, "not a Python version (as in 3.12 or, free-threaded, 3.13t)"); };
  PythonVersion python;
  if (text.ends_with('t')) {
    python.free_threaded = true;
    text.remove_suffix(1);
  }
  std::string dotted;
  if (text.starts_with("cp3")) {  // a wheel's interpreter tag
    dotted = fmt::format("3.{}", text.substr(3));
    text = dotted;
  }
  const auto version = Version::parse(text);
  if (!version || version->count() != 2 || version->major() != 3 || version->minor() > largest_minor) return bad();
  python.minor = static_cast<std::uint8_t>(version->minor());
  return python;
}

std::string PythonVersion::to_string() const { return fmt::format("3.{}{}", minor, free_threaded ? "t" : ""); }

std::vector<PythonVersion> PythonSet::list() const {
  std::vector<PythonVersion> pythons;
  for (std::uint8_t minor = 0; minor <= max_minor; ++minor) {
    for (const bool free_threaded : {false, true}) {
      const PythonVersion python{minor, free_threaded};
      if (contains(python)) pythons.push_back(python);
    }
  }
  return pythons;
}

PythonVersion PythonSet::newest() const {
  const auto regular_bits = static_cast<std::uint32_t>(bits_);
  const auto threaded_bits = static_cast<std::uint32_t>(bits_ >> 32);
  const auto top = [](std::uint32_t bits) { return static_cast<std::uint8_t>(std::bit_width(bits) - 1); };
  if (regular_bits != 0) return {top(regular_bits), false};
  return {top(threaded_bits), true};
}

}  // namespace envgen
