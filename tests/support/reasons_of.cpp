#include "support/reasons_of.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace envgen::test {

std::vector<std::string> wrong_reasons(const Environment& environment) {
  std::vector<std::string> found;
  const auto expect = [&](std::string_view field, std::string_view value) {
    const auto reason = std::find_if(environment.reasons.begin(), environment.reasons.end(),
                                     [&](const Environment::Reason& entry) { return entry.field == field; });
    if (reason == environment.reasons.end())
      found.push_back(fmt::format("nothing says why {} is {}", field, value));
    else if (reason->value != value)
      found.push_back(fmt::format("the reason for {} speaks of {}, the answer is {}", field, reason->value, value));
    else if (reason->why.empty())
      found.push_back(fmt::format("the reason for {} is empty", field));
  };
  const auto& framework = environment.build();
  expect(environment.torch ? "torch" : "tensorflow", framework.version);
  expect("cuda", !environment.cuda ? "cpu" : spelling_or(framework.cuda, "unknown"));
  if (environment.torch) {
    expect("torchvision", framework.torchvision.value_or("none"));
    expect("torchaudio", framework.torchaudio.value_or("none"));
  }
  if (const auto& toolkit = environment.toolkit().version) expect("toolkit", toolkit->to_string());
  if (environment.cudnn) expect("cudnn", spelling_or(environment.cudnn->version, "unknown"));
  expect("python", environment.python.to_string());
  expect("python_provider", name_of(environment.python_provider));
  expect("os", environment.os.value_or("unknown"));
  expect("platform", name_of(environment.platform));
  expect("variant", name_of(environment.variant));
  expect("installer", name_of(environment.installer));
  expect("base", name_of(environment.base));
  if (environment.driver) {
    for (const auto& machine : environment.driver->machines) {
      const auto range = machine.range.to_string();
      if (std::none_of(environment.reasons.begin(), environment.reasons.end(),
                       [&](const Environment::Reason& entry) { return entry.field == "driver" && entry.value == range; }))
        found.push_back(fmt::format("nothing says why driver is {}", range));
    }
    if (environment.driver->machines.empty()) expect("driver", environment.driver->range.to_string());
  }
  std::size_t board = 0;
  for (const auto& reason : environment.reasons) {
    if (reason.field != "gpu") continue;
    if (board >= environment.gpus.size() || environment.gpus[board].name != reason.value)
      found.push_back(fmt::format("the reason for gpu speaks of {}, which is not the board in its place", reason.value));
    ++board;
  }
  if (board < environment.gpus.size())
    found.push_back(fmt::format("nothing says why the {} is served", environment.gpus[board].name));
  return found;
}

std::string why(const Environment& environment, std::string_view field) {
  for (const auto& reason : environment.reasons) {
    if (reason.field == field) return reason.why;
  }
  return "no reason for " + std::string(field);
}

}  // namespace envgen::test
