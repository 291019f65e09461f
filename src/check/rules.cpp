#include <algorithm>

#include "check/specifier.hpp"
#include "check/subject.hpp"

namespace envgen::check {
namespace {

bool one_of(std::string_view choices, std::string_view value) {
  while (!choices.empty()) {
    if (cut(choices, '|') == value) return true;
  }
  return false;
}

/// The values that the conditions of pitfalls.json speak of, read once.
class Conditions {
 public:
  explicit Conditions(const Subject& subject) : subject_(subject) {}

  bool hold(const matrix::Rule& rule) const {
    return std::all_of(rule.when.begin(), rule.when.end(),
                       [&](const matrix::Condition& condition) { return holds(condition.field, condition.spec); });
  }

 private:
  bool holds(std::string_view field, std::string_view spec) const {
    const auto& environment = subject_.environment;
    const auto& build = subject_.build;
    if (field == "torch") return build.framework == Framework::torch && satisfies(spec, build.version);
    if (field == "tensorflow") return build.framework == Framework::tensorflow && satisfies(spec, build.version);
    if (field == "cuda") return build.cuda && satisfies(spec, build.cuda);
    if (field == "cudnn") return !build.cpu && build.cudnn && satisfies(spec, build.cudnn);
    if (field == "python") return subject_.python && satisfies(spec, subject_.python->version());
    if (field == "installer") return one_of(spec, name_of(environment.installer));
    if (field == "base") return one_of(spec, name_of(environment.base));
    if (field == "variant") return one_of(spec, name_of(environment.variant));
    if (field == "os") return environment.os && one_of(spec, *environment.os);
    if (field == "channel") return one_of(spec, channel());
    if (field == "gpu_capability") {
      return std::any_of(environment.gpus.begin(), environment.gpus.end(), [&](const Environment::Board& board) {
        const auto capability = Capability::parse(board.capability);
        return capability && satisfies(spec, Version(capability->major, capability->minor));
      });
    }
    return false;
  }

  std::string_view channel() const {
    switch (subject_.build.channel) {
      case matrix::Channel::pytorch_channel:
        return "pytorch";
      case matrix::Channel::conda_forge:
        return "conda-forge";
      case matrix::Channel::wheels:
        break;
    }
    return {};
  }

  const Subject& subject_;
};

/// What a rule's variable is to be.
std::string value_of(const Subject& subject, const matrix::Rule& rule) {
  if (rule.env_value.view() != matrix::reported_cuda) return std::string(rule.env_value.view());
  const auto reported = cuda_of_asked_drivers(subject);
  return (reported ? reported : subject.build.cuda).to_string();
}

}  // namespace

void check_rules(const Subject& subject) {
  const auto& environment = subject.environment;
  const Conditions conditions(subject);
  std::vector<const matrix::Rule*> holding;
  for (const auto& rule : subject.matrix->rules) {
    if (!conditions.hold(rule)) continue;
    holding.push_back(&rule);
    const auto has_pin = [&](const Environment::Pin& pin) {
      return pin.package == rule.pin_package.view() && pin.spec == rule.pin_spec.view() && pin.why == rule.why.view();
    };
    if (!rule.pin_package.empty() && std::none_of(environment.pins.begin(), environment.pins.end(), has_pin))
      subject.wrong("pins: the rule {} pins {}{}, the answer does not", rule.id.view(), rule.pin_package.view(),
                    rule.pin_spec.view());
    const auto has_variable = [&](const auto& entry) {
      return entry.first == rule.env_name.view() && entry.second == value_of(subject, rule);
    };
    if (!rule.env_name.empty() && std::none_of(environment.env.begin(), environment.env.end(), has_variable))
      subject.wrong("env: the rule {} sets {}={}, the answer does not", rule.id.view(), rule.env_name.view(),
                    value_of(subject, rule));
    if (!rule.warn.empty() &&
        std::find(environment.warnings.begin(), environment.warnings.end(), rule.warn.view()) == environment.warnings.end())
      subject.wrong("warnings: the rule {} warns, the answer does not", rule.id.view());
  }
  const auto any = [&](auto matches) { return std::any_of(holding.begin(), holding.end(), matches); };
  for (const auto& pin : environment.pins) {
    if (!any([&](const matrix::Rule* rule) {
          return rule->pin_package.view() == pin.package && rule->pin_spec.view() == pin.spec;
        }))
      subject.wrong("pins: no rule that holds pins {}{}", pin.package, pin.spec);
  }
  for (const auto& variable : environment.env) {
    if (!any([&](const matrix::Rule* rule) {
          return rule->env_name.view() == variable.first && value_of(subject, *rule) == variable.second;
        }))
      subject.wrong("env: no rule that holds sets {}={}", variable.first, variable.second);
  }
}

}  // namespace envgen::check
