#include "check/checked_answer.hpp"
#include "check/specifier.hpp"

namespace envgen::check {
namespace {

bool one_of(std::string_view choices, std::string_view value) {
  while (!choices.empty()) {
    if (cut(choices, '|') == value) return true;
  }
  return false;
}

std::string_view channel_of(const matrix::Build& build) {
  switch (build.channel) {
    case matrix::Channel::pytorch_channel:
      return "pytorch";
    case matrix::Channel::conda_forge:
      return "conda-forge";
    case matrix::Channel::wheels:
      break;
  }
  return {};
}

/// Whether a board meets a condition on boards.
bool is_met_by(const CheckedAnswer& checked, const Environment::Board& board, std::string_view field, std::string_view spec) {
  if (field == "gpu_capability") return satisfies(spec, Version(board.capability.major, board.capability.minor));
  const auto rows = checked.matrix.gpus_named(board.name);
  return field == "gpu" &&
         std::any_of(rows.begin(), rows.end(), [&](const matrix::Gpu* row) { return one_of(spec, row->name.view()); });
}

/// Whether a condition of pitfalls.json holds.
bool holds(const CheckedAnswer& checked, std::string_view field, std::string_view spec) {
  const auto& environment = checked.environment;
  const auto& build = checked.build;
  if (field == "torch") return build.framework == Framework::torch && satisfies(spec, build.version);
  if (field == "tensorflow") return build.framework == Framework::tensorflow && satisfies(spec, build.version);
  if (field == "cuda") return build.cuda && satisfies(spec, build.cuda);
  if (field == "cudnn") {
    const auto cudnn = taken_cudnn(checked);
    return !build.cpu && cudnn && satisfies(spec, cudnn);
  }
  if (field == "python") return satisfies(spec, environment.python.version());
  if (field == "installer") return one_of(spec, name_of(environment.installer));
  if (field == "base") return one_of(spec, name_of(environment.base));
  if (field == "variant") return one_of(spec, name_of(environment.variant));
  if (field == "os") return environment.os && one_of(spec, *environment.os);
  if (field == "channel") return one_of(spec, channel_of(build));
  if (field == "wsl") return checked.asked.wsl == (spec == "true");
  return std::any_of(environment.gpus.begin(), environment.gpus.end(),
                     [&](const Environment::Board& board) { return is_met_by(checked, board, field, spec); });
}

/// What a rule is to warn of: with the boards by name that meet all that it asks of boards.
std::string warning_of(const CheckedAnswer& checked, const matrix::Rule& rule) {
  const std::string_view text = rule.warn;
  const auto mark = text.find(matrix::its_boards);
  if (mark == std::string_view::npos) return std::string(text);
  Texts names;
  for (const auto& board : checked.environment.gpus) {
    bool meets = true;
    for (const auto& condition : rule.when) {
      const bool of_boards = condition.field.view() == "gpu" || condition.field.view() == "gpu_capability";
      meets = meets && (!of_boards || is_met_by(checked, board, condition.field, condition.spec));
    }
    if (meets && std::find(names.begin(), names.end(), board.name) == names.end()) names.push_back(board.name);
  }
  return fmt::format("{}{}{}", text.substr(0, mark), fmt::join(names, " and the "),
                     text.substr(mark + matrix::its_boards.size()));
}

/// What a rule's variable is to be.
std::string value_of(const CheckedAnswer& checked, const matrix::Rule& rule) {
  if (rule.env_value.view() != matrix::reported_cuda) return std::string(rule.env_value.view());
  const auto reported = cuda_of_asked_drivers(checked);
  return (reported ? reported : checked.build.cuda).to_string();
}

}  // namespace

void check_rules(const CheckedAnswer& checked) {
  const auto& environment = checked.environment;
  const auto& warnings = environment.warnings;
  Texts pins;
  Texts env;
  for (const auto& rule : checked.matrix->rules) {
    const bool applies = std::all_of(rule.when.begin(), rule.when.end(), [&](const matrix::Condition& condition) {
      return holds(checked, condition.field, condition.spec);
    });
    if (!applies) continue;
    if (!rule.pin_package.empty())
      pins.push_back(std::string(rule.pin_package.view()).append(rule.pin_spec.view()).append(": ").append(rule.why.view()));
    if (!rule.env_name.empty()) env.push_back(std::string(rule.env_name.view()).append("=").append(value_of(checked, rule)));
    if (!rule.warn.empty() && std::find(warnings.begin(), warnings.end(), warning_of(checked, rule)) == warnings.end())
      checked.wrong("warnings: the rule {} warns, the answer does not", rule.id.view());
  }
  Texts said_pins;
  for (const auto& pin : environment.pins) said_pins.push_back(pin.package + pin.spec + ": " + pin.why);
  Texts said_env;
  for (const auto& [name, value] : environment.env) said_env.push_back(name + "=" + value);
  checked.expect("pins", said_pins, pins);
  checked.expect("env", said_env, env);
}

}  // namespace envgen::check
