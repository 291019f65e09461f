#include <algorithm>

#include "check/subject.hpp"

namespace envgen::check {

/// Each value has a reason, and the reason speaks of that value.
void check_reasons(const Subject& subject) {
  const auto& environment = subject.environment;
  const auto expect = [&](std::string_view field, std::string_view value) {
    const auto reason = std::find_if(environment.reasons.begin(), environment.reasons.end(),
                                     [&](const Environment::Reason& entry) { return entry.field == field; });
    if (reason == environment.reasons.end())
      subject.wrong("reasons: nothing says why {} is {}", field, value);
    else if (reason->value != value)
      subject.wrong("reasons: the reason for {} speaks of {}, the answer is {}", field, reason->value, value);
    else if (reason->why.empty())
      subject.wrong("reasons: the reason for {} is empty", field);
  };
  const auto& framework = subject.framework();
  expect(name_of(subject.build.framework), framework.version);
  expect("cuda", subject.build.cpu ? std::string_view("cpu") : framework.cuda ? std::string_view(*framework.cuda) : "unknown");
  if (environment.torch) {
    expect("torchvision", shown(framework.torchvision));
    expect("torchaudio", shown(framework.torchaudio));
  }
  if (const auto& toolkit = environment.toolkit().version) expect("toolkit", *toolkit);
  if (environment.cudnn) expect("cudnn", environment.cudnn->version ? std::string_view(*environment.cudnn->version) : "unknown");
  expect("python", environment.python);
  expect("python_provider", name_of(environment.python_provider));
  expect("os", environment.os ? std::string_view(*environment.os) : "unknown");
  expect("platform", name_of(environment.platform));
  expect("variant", name_of(environment.variant));
  expect("installer", name_of(environment.installer));
  expect("base", name_of(environment.base));
  if (environment.driver) {
    for (const auto& machine : environment.driver->machines) {
      const auto range = machine.range.to_string();
      if (std::none_of(environment.reasons.begin(), environment.reasons.end(),
                       [&](const Environment::Reason& entry) { return entry.field == "driver" && entry.value == range; }))
        subject.wrong("reasons: nothing says why driver is {}", range);
    }
    if (environment.driver->machines.empty()) expect("driver", environment.driver->range.to_string());
  }
  std::size_t board = 0;
  for (const auto& reason : environment.reasons) {
    if (reason.field != "gpu") continue;
    if (board >= environment.gpus.size() || environment.gpus[board].name != reason.value)
      subject.wrong("reasons: the reason for gpu speaks of {}, which is not the board in its place", reason.value);
    ++board;
  }
  if (board < environment.gpus.size()) subject.wrong("reasons: nothing says why the {} is served", environment.gpus[board].name);
}

}  // namespace envgen::check
