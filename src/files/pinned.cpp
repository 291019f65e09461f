#include "files/pinned.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "files/extensions.hpp"
#include "model/spelling.hpp"
#include "model/version_spec.hpp"

namespace envgen::files {
namespace {

/// A package whose releases are limited, and by what, for a message.
struct Limit {
  std::string package;
  VersionSpec spec;
  std::string said;
};

/// What the wheel of the framework pins and what the environment needs. conda has packages of its own.
std::vector<Limit> limits(const Environment& environment) {
  std::vector<Limit> result;
  const auto add = [&](std::string package, std::string_view spec, std::string said) {
    if (auto parsed = wheel_spec(spec)) result.push_back({std::move(package), std::move(*parsed), std::move(said)});
  };
  for (const auto& pin : environment.pins)
    add(requirement_name(pin.package), pin.spec,
        fmt::format("{}, which this environment needs", in_quotes(pin.package + pin.spec)));
  const auto& build = environment.build();
  // Wheels of an index of PyTorch's own may hold these instead.
  if (environment.installer == Installer::conda || !environment.torch || !build.on_package_index || !build.cuda) return result;
  const auto pinned = [&](const std::string& package, const std::string& release, std::string_view suffix = "") {
    add(package, fmt::format("=={}{}", release, suffix),
        fmt::format("{} {}, which torch {} pins", package, release, build.version));
  };
  // From 2.14 on it is the minor that is pinned (`~=3.8.0`).
  if (const auto release = Version::parse(build.triton.value_or(""))) pinned("triton", release->at(2).to_string(), ".*");
  const auto of_cuda = [&](std::string_view name) { return fmt::format("nvidia-{}-cu{}", name, build.cuda->major()); };
  if (build.nccl) pinned(of_cuda("nccl"), *build.nccl);
  if (const auto& cudnn = environment.cudnn; cudnn && cudnn->version && cudnn->from == CudnnFrom::wheel)
    pinned(of_cuda("cudnn"), cudnn->version->to_string());
  return result;
}

/// Whether no release satisfies both; false where only pip could say.
bool excludes(const VersionSpec& asked, const VersionSpec& limit) {
  if (const auto one = limit.single()) return !asked.matches(one);
  if (const auto one = asked.single()) return !limit.matches(one);
  return std::any_of(asked.clauses().begin(), asked.clauses().end(), [&](const VersionSpec::Clause& clause) {
    const bool from_below = clause.op == VersionSpec::Op::greater_equal || clause.op == VersionSpec::Op::greater;
    return from_below && limit.is_below(clause.version);
  });
}

}  // namespace

Expected<void> check_pinned(const Inputs& inputs) {
  if (inputs.options.pip.empty()) return {};
  const auto all = limits(inputs.environment);
  for (const auto& requirement : inputs.options.pip) {
    const auto asked = wheel_spec(requirement_spec(requirement.value));
    if (!asked) continue;  // a release of another scheme, which pip understands
    const auto name = requirement_name(requirement.value);
    for (const auto& limit : all) {
      if (limit.package != name || !excludes(*asked, limit.spec)) continue;
      return fail(ErrorCode::usage, fmt::format("{} contradicts {}", in_quotes(requirement.value), limit.said), requirement.where,
                  {"leave it out: it is installed anyway"});
    }
  }
  return {};
}

}  // namespace envgen::files
