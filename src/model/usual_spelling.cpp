#include "model/usual_spelling.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/choices.hpp"
#include "model/spelling.hpp"
#include "model/version.hpp"

namespace envgen {
namespace {

template <class E>
std::string_view choice(std::string_view text) {
  const auto& names = Names<E>::names;
  const auto* known = std::find(names.begin(), names.end(), lower(text));
  return known != names.end() ? *known : text;
}

/// Without the label that nvidia-smi writes before it.
std::string_view without_label(std::string_view text) {
  constexpr std::array<std::string_view, 3> labels{"driver version:", "driver", "nvidia-smi"};
  const auto space = text.rfind(' ');
  if (space == std::string_view::npos) return text;
  const bool is_label = std::find(labels.begin(), labels.end(), lower(text.substr(0, space))) != labels.end();
  return is_label ? text.substr(space + 1) : text;
}

/// The branch of a package of apt: `nvidia-driver-535`, `nvidia-driver-535-server`, `cuda-drivers-535`.
std::string_view without_package(std::string_view text) {
  for (const std::string_view flavour : {"-open", "-server"}) {
    if (text.ends_with(flavour)) text.remove_suffix(flavour.size());
  }
  const auto dash = text.rfind('-');
  if (dash == std::string_view::npos) return text;
  const auto name = text.substr(0, dash);
  const bool package = name.find("nvidia") != std::string_view::npos || name.find("driver") != std::string_view::npos;
  return package ? text.substr(dash + 1) : text;
}

/// Without the revision of a package: what stands before it is a whole release, so `535-550` has none.
std::string_view without_revision(std::string_view text) {
  constexpr int parts_of_release = 3;
  const auto dash = text.find('-');
  if (dash == std::string_view::npos || dash + 1 == text.size() || !is_digit(text[dash + 1])) return text;
  const auto release = Version::parse(text.substr(0, dash));
  return release && release->count() == parts_of_release ? text.substr(0, dash) : text;
}

}  // namespace

std::string_view usual_spelling(Field field, std::string_view text) {
  text = without_spaces_around(text);
  switch (field) {
    case Field::variant:
      return choice<Variant>(text);
    case Field::installer:
      return choice<Installer>(text);
    case Field::base:
      return choice<Base>(text);
    case Field::engine:
      return choice<Engine>(text);
    case Field::prefer:
      return choice<Prefer>(text);
    case Field::python:
      return without_spaces_around(text.substr(text.starts_with("Python ") ? std::string_view("Python").size() : 0));
    case Field::driver:
      return without_revision(without_package(without_label(text)));
    default:
      return text;
  }
}

std::string driver_of_windows_file(std::string_view text) {
  constexpr int parts_of_file = 4;
  constexpr std::size_t last_digits = 4;
  const auto version = Version::parse(text);
  const auto last = text.substr(std::min(text.rfind('.') + 1, text.size()));
  if (!version || version->count() != parts_of_file || version->part(2) / 10 != 1 || last.size() != last_digits) return {};
  return fmt::format("{}{}.{}", version->part(2) % 10, last.substr(0, 2), last.substr(2));
}

}  // namespace envgen
