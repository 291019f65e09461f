#include "files/torch_pins.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/extensions.hpp"
#include "files/requirement.hpp"
#include "model/add_once.hpp"
#include "model/spelling.hpp"

namespace envgen::files {
namespace {

bool is_for(const TorchPin& pin, Version torch) {
  const auto spec = VersionSpec::parse(pin.torch);
  return !spec || spec->matches(torch);
}

Expected<void> check(const Inputs& inputs, const GivenText& requirement, Version torch) {
  const auto name = requirement_name(requirement.value);
  const auto range = requirement_range(requirement.value);
  if (!range) return {};
  Version oldest;
  Version newest;
  std::vector<std::string> wanted;
  const TorchPin* other = nullptr;
  for (const auto& pin : inputs.options.torch_pins) {
    if (pin.package != name) continue;
    const auto release = release_number(pin.release);
    if (!release) continue;  // of a layer, which may say anything
    const bool fits = is_for(pin, torch);
    if (!oldest || release < oldest) oldest = release;
    newest = std::max(newest, release);
    if (fits && (other == nullptr || release > release_number(other->release))) other = &pin;
    if (!range->matches(release)) continue;
    if (fits) return {};
    add_once(wanted, "torch" + pin.torch);
  }
  // What was published before or after the known ones may be for any torch.
  if (wanted.empty() || reaches(*range, Version(0), oldest) || reaches(*range, newest.last_under().next(), {})) return {};
  std::vector<std::string> hints;
  if (other != nullptr) hints.push_back(fmt::format("for torch {}: '{}=={}'", torch, name, other->release));
  if (wanted.size() == 1 && wanted.front().starts_with("torch=="))
    hints.push_back(fmt::format("{}--torch {}", hints.empty() ? "" : "or ", wanted.front().substr(7)));
  return fail(ErrorCode::usage,
              fmt::format("{} requires {}, but this environment has torch {}", in_quotes(requirement.value),
                          fmt::join(wanted, " or "), torch),
              requirement.where, std::move(hints));
}

}  // namespace

Expected<void> check_torch_pins(const Inputs& inputs) {
  const auto torch = torch_version(inputs.environment);
  if (!torch) return {};
  for (const auto& requirement : inputs.options.pip) {
    if (auto checked = check(inputs, requirement, torch); !checked) return checked;
  }
  return {};
}

}  // namespace envgen::files
