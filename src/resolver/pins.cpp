#include "resolver/materialize.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/add_once.hpp"
#include "model/version_spec.hpp"
#include "resolver/environment_part.hpp"

namespace envgen::resolver {
namespace {

/// The versions of an environment that conditions ask for, read once for all rules. None where there is none.
struct Versions {
  explicit Versions(const Environment& environment) {
    const auto read = [](std::string_view text) { return Version::parse(text).value_or(Version()); };
    if (environment.torch) torch = read(environment.torch->version);
    if (environment.tensorflow) tensorflow = read(environment.tensorflow->version);
    if (environment.build().cuda) cuda = *environment.build().cuda;
    if (environment.cudnn && environment.cudnn->version) cudnn = *environment.cudnn->version;
    python = environment.python.version();
  }
  Version torch, tensorflow, cuda, cudnn, python;
};

/// Names separated by `|`: any one of them.
bool one_of(std::string_view names, std::string_view value) {
  for (;;) {
    const auto bar = names.find('|');
    if (names.substr(0, bar) == value) return true;
    if (bar == std::string_view::npos) return false;
    names.remove_prefix(bar + 1);
  }
}

/// Where the build comes from, as conditions name it.
std::string_view channel_of(const Environment& environment) {
  const auto& channels = environment.build().conda_channels;
  return channels.empty() ? std::string_view("wheels") : std::string_view(channels.front());
}

bool is_about_boards(const matrix::Condition& condition) {
  return condition.field.view() == "gpu" || condition.field.view() == "gpu_capability";
}

/// Of a condition about boards. A family, such as H100, may be any of its boards.
bool holds_for(const matrix::Matrix& matrix, const matrix::Condition& condition, const Environment::Board& gpu) {
  if (condition.field.view() == "gpu_capability")
    return VersionSpec::matches(std::span(condition.clauses.begin(), condition.clauses.size()),
                                Version(gpu.capability.major, gpu.capability.minor));
  const auto rows = matrix.gpus_named(gpu.name);
  return std::any_of(rows.begin(), rows.end(),
                     [&](const matrix::Gpu* row) { return one_of(condition.spec.view(), row->name.view()); });
}

bool is_for_wsl(const Environment& environment) {
  if (!environment.driver) return false;
  const auto served = environment.driver->by_range();
  return std::any_of(served.begin(), served.end(), [](const auto& one) { return one.range.windows_cuda.has_value(); });
}

bool holds(const matrix::Matrix& matrix, const matrix::Condition& condition, const Environment& environment,
           const Versions& versions) {
  const auto field = condition.field.view();
  const auto spec = condition.spec.view();
  const std::span clauses(condition.clauses.begin(), condition.clauses.size());
  const auto in = [&](Version version) { return version && VersionSpec::matches(clauses, version); };
  if (is_about_boards(condition))
    return std::any_of(environment.gpus.begin(), environment.gpus.end(),
                       [&](const auto& gpu) { return holds_for(matrix, condition, gpu); });
  if (field == "torch") return in(versions.torch);
  if (field == "tensorflow") return in(versions.tensorflow);
  if (field == "cuda") return in(versions.cuda);
  if (field == "cudnn") return in(versions.cudnn);
  if (field == "python") return in(versions.python);
  if (field == "installer") return one_of(spec, name_of(environment.installer));
  if (field == "base") return one_of(spec, name_of(environment.base));
  if (field == "variant") return one_of(spec, name_of(environment.variant));
  if (field == "channel") return one_of(spec, channel_of(environment));
  if (field == "wsl") return is_for_wsl(environment) == (spec == "true");
  return field == "os" && environment.os && one_of(spec, *environment.os);
}

template <class Visit>
void for_each_rule(const matrix::Matrix& matrix, const Environment& environment, Visit visit) {
  const Versions versions(environment);
  for (const auto& rule : matrix->rules) {
    if (std::all_of(rule.when.begin(), rule.when.end(),
                    [&](const auto& condition) { return holds(matrix, condition, environment, versions); }))
      visit(rule);
  }
}

/// "the B200 and the GeForce RTX 5090" where the rule names boards: what holds for one need not hold for those beside it.
std::string warning_of(const matrix::Matrix& matrix, const matrix::Rule& rule, const Environment& environment) {
  std::string warning(rule.warn.view());
  const auto at = warning.find(matrix::its_boards);
  if (at == std::string::npos) return warning;
  std::vector<std::string> boards;
  for (const auto& gpu : environment.gpus) {
    const auto about_it = [&](const auto& condition) { return !is_about_boards(condition) || holds_for(matrix, condition, gpu); };
    if (std::all_of(rule.when.begin(), rule.when.end(), about_it)) add_once(boards, gpu.name);
  }
  return warning.replace(at, matrix::its_boards.size(), fmt::format("{}", fmt::join(boards, " and the ")));
}

}  // namespace

void apply_rules(const matrix::Matrix& matrix, Version reported, Environment& environment) {
  std::vector<std::string> minor;
  for_each_rule(matrix, environment, [&](const matrix::Rule& rule) {
    if (!rule.pin_package.empty()) {
      environment.pins.push_back({std::string(rule.pin_package.view()), std::string(rule.pin_spec.view()),
                                  std::string(rule.why.view()), std::string(matrix.source(rule.from.source).what.view())});
    }
    if (!rule.env_name.empty()) {
      const auto value = rule.env_value.view();
      environment.env.emplace_back(rule.env_name.view(),
                                   value == matrix::reported_cuda ? reported.to_string() : std::string(value));
    }
    if (!rule.warn.empty()) (rule.minor ? minor : environment.warnings).push_back(warning_of(matrix, rule, environment));
  });
  environment.warnings.insert(environment.warnings.end(), minor.begin(), minor.end());
}

std::vector<std::string> stale_lists(const matrix::Matrix& matrix, const Environment& environment) {
  std::vector<std::string> lists;
  for_each_rule(matrix, environment,
                [&](const matrix::Rule& rule) { lists.insert(lists.end(), rule.stale_lists.begin(), rule.stale_lists.end()); });
  return lists;
}

}  // namespace envgen::resolver
