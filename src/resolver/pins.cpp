#include "resolver/pins.hpp"

#include <algorithm>

#include "model/version_spec.hpp"

namespace envgen::resolver {
namespace {

bool version_in(std::string_view spec, std::string_view version) {
  const auto wanted = VersionSpec::parse(spec);
  auto digits = version;
  if (digits.ends_with('t')) digits.remove_suffix(1);
  const auto have = Version::parse(digits);
  return wanted && have && wanted->matches(*have);
}

/// Names separated by `|`: any one of them.
bool one_of(std::string_view names, std::string_view value) {
  for (;;) {
    const auto bar = names.find('|');
    if (names.substr(0, bar) == value) return true;
    if (bar == std::string_view::npos) return false;
    names.remove_prefix(bar + 1);
  }
}

std::string_view channel_name(matrix::Channel channel) {
  switch (channel) {
    case matrix::Channel::wheels: return "wheels";
    case matrix::Channel::pytorch_channel: return "pytorch";
    case matrix::Channel::conda_forge: return "conda-forge";
  }
  return {};
}

bool holds(const matrix::Condition& condition, const matrix::Build& build, const Environment& environment) {
  const auto field = condition.field.view();
  const auto spec = condition.spec.view();
  if (field == "torch") return environment.torch && version_in(spec, environment.torch->version);
  if (field == "tensorflow") return environment.tensorflow && version_in(spec, environment.tensorflow->version);
  if (field == "cuda") return environment.build().cuda && version_in(spec, *environment.build().cuda);
  if (field == "cudnn") return environment.cudnn && environment.cudnn->version && version_in(spec, *environment.cudnn->version);
  if (field == "python") return version_in(spec, environment.python);
  if (field == "installer") return one_of(spec, environment.installer);
  if (field == "base") return one_of(spec, environment.base);
  if (field == "variant") return one_of(spec, environment.variant);
  if (field == "channel") return one_of(spec, channel_name(build.channel));
  if (field == "os") return environment.os && one_of(spec, *environment.os);
  if (field == "gpu_capability")
    return std::any_of(environment.gpus.begin(), environment.gpus.end(), [&](const auto& gpu) { return version_in(spec, gpu.capability); });
  return false;
}

}  // namespace

void apply_rules(const matrix::Matrix& matrix, const matrix::Build& build, Environment& environment) {
  for (const auto& rule : matrix->rules) {
    const bool applies = std::all_of(rule.when.begin(), rule.when.end(), [&](const auto& condition) { return holds(condition, build, environment); });
    if (!applies) continue;
    if (!rule.pin_package.empty()) {
      environment.pins.push_back({std::string(rule.pin_package.view()), std::string(rule.pin_spec.view()), std::string(rule.why.view()),
                                  std::string(matrix.source(rule.from.source).what.view())});
    }
    if (!rule.env_name.empty()) environment.env.emplace_back(rule.env_name.view(), rule.env_value.view());
    if (!rule.warn.empty()) environment.warnings.emplace_back(rule.warn.view());
  }
}

}  // namespace envgen::resolver
