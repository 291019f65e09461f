#include "update/wheel_name.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "inspect/metadata.hpp"
#include "model/version.hpp"
#include "update/answers.hpp"

namespace envgen::update {
namespace {

/// `2.28` of `manylinux_2_28_x86_64`; the older names of PEP 600.
std::string glibc_of(std::string_view tag) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> old_names{
      {{"manylinux1_", "2.5"}, {"manylinux2010_", "2.12"}, {"manylinux2014_", "2.17"}}};
  for (const auto& [name, glibc] : old_names) {
    if (tag.starts_with(name)) return std::string(glibc);
  }
  const auto parts = split(tag, '_');
  if (parts.size() < 4 || parts[0] != "manylinux") return {};
  const auto glibc = fmt::format("{}.{}", parts[1], parts[2]);
  return Version::parse(glibc) ? glibc : std::string();
}

/// A wheel may have several tags; the least that one of them asks for is enough.
void take_platform(WheelName& wheel, std::string_view tags) {
  for (const auto tag : split(tags, '.')) {
    const bool linux_tag = tag.starts_with("linux_") || tag.starts_with("manylinux");
    if (!linux_tag) continue;
    if (tag.ends_with("_x86_64")) wheel.platform = "linux-x86_64";
    if (tag.ends_with("_aarch64")) wheel.platform = "linux-aarch64";
    const auto glibc = glibc_of(tag);
    if (!glibc.empty() && (wheel.glibc.empty() || *Version::parse(glibc) < *Version::parse(wheel.glibc))) wheel.glibc = glibc;
  }
}

}  // namespace

std::optional<WheelName> WheelName::parse(std::string_view file) {
  constexpr std::string_view ending = ".whl";
  if (!file.ends_with(ending)) return std::nullopt;
  file.remove_suffix(ending.size());
  const auto parts = split(file, '-');
  const bool built = parts.size() == 6;  // with a build number
  if (parts.size() != 5 && !built) return std::nullopt;
  if (std::any_of(parts.begin(), parts.end(), [](std::string_view part) { return part.empty(); })) return std::nullopt;
  WheelName wheel;
  wheel.project = inspect::normalised_name(parts[0]);
  const auto plus = parts[1].find('+');
  wheel.version = parts[1].substr(0, plus);
  if (plus != std::string_view::npos) wheel.local = parts[1].substr(plus + 1);
  const std::size_t first = built ? 3 : 2;
  const auto abi = parts[first + 1];
  for (const auto tag : split(parts[first], '.')) {
    if (tag == "py3") wheel.any_python = true;
  }
  // Before 3.8 the ABI had a letter more: cp37m. abi3 serves later Pythons, too, which no framework here uses.
  if (const auto python = PythonVersion::parse(abi.ends_with('m') ? abi.substr(0, abi.size() - 1) : abi);
      python && abi.starts_with("cp"))
    wheel.python = *python;
  take_platform(wheel, parts[first + 2]);
  return wheel;
}

}  // namespace envgen::update
