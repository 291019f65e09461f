#include "inspect/targets.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

void add_each(std::vector<Arch>& archs, const std::vector<Arch>& others) {
  archs.insert(archs.end(), others.begin(), others.end());
  std::sort(archs.begin(), archs.end());
  archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
}

std::vector<std::string> names_with(std::string_view prefix, const std::vector<Arch>& archs) {
  std::vector<std::string> names;
  for (const auto arch : archs) {
    auto& name = names.emplace_back(fmt::format("{}{}{}", prefix, arch.capability.major, arch.capability.minor));
    if (arch.suffix != 0) name += arch.suffix;
  }
  return names;
}

}  // namespace

void Targets::add(const Targets& other) {
  add_each(sass, other.sass);
  add_each(ptx, other.ptx);
}

std::vector<std::string> Targets::sass_names() const { return names_with(sass_prefix, sass); }
std::vector<std::string> Targets::ptx_names() const { return names_with(ptx_prefix, ptx); }

std::string Targets::to_string() const {
  auto names = sass_names();
  const auto more = ptx_names();
  names.insert(names.end(), more.begin(), more.end());
  return fmt::format("{}", fmt::join(names, " "));
}

Expected<Targets> parse_targets(std::string_view words) {
  Targets targets;
  while (!words.empty()) {
    const auto word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    const bool ptx = word.starts_with(ptx_prefix);
    const auto arch = Arch::parse(word);
    if (!arch || (!ptx && !word.starts_with(sass_prefix)))
      return fail(ErrorCode::bad_input, fmt::format("{} is neither sm_XY nor compute_XY", in_quotes(word)));
    targets.add(ptx ? Targets{{}, {*arch}} : Targets{{*arch}, {}});
  }
  return targets;
}

Targets of_most(std::span<const Targets* const> all) {
  const auto most = [&](std::vector<Arch> Targets::*kind) {
    std::map<Arch, std::size_t> counts;
    for (const auto* each : all) {
      for (const auto& arch : each->*kind) ++counts[arch];
    }
    std::vector<Arch> result;
    for (const auto& [arch, count] : counts) {
      if (2 * count > all.size()) result.push_back(arch);
    }
    return result;
  };
  return {most(&Targets::sass), most(&Targets::ptx)};
}

Targets missing(const Targets& from, const Targets& whole) {
  Targets rest;
  std::set_difference(whole.sass.begin(), whole.sass.end(), from.sass.begin(), from.sass.end(), std::back_inserter(rest.sass));
  std::set_difference(whole.ptx.begin(), whole.ptx.end(), from.ptx.begin(), from.ptx.end(), std::back_inserter(rest.ptx));
  return rest;
}

}  // namespace envgen::inspect
