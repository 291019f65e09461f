#include "files/pinned.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "files/extensions.hpp"
#include "files/requirement.hpp"
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

/// Wheels of the package index do not hold CUDA's libraries but require them; those of PyTorch's own index for x86_64 do so from
/// 2.3 on (pytorch v2.3.0 .github/scripts/generate_binary_build_matrix.py: requirements for 11.8 and 12.1).
bool requires_libraries(const Environment& environment) {
  const auto torch = torch_version(environment);
  return torch &&
         (environment.build().on_package_index || (environment.platform == Platform::linux_x86_64 && torch >= Version(2, 3)));
}

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
  if (environment.installer == Installer::conda || !build.cuda || !requires_libraries(environment)) return result;
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

/// The release that a clause alone allows; none: there are several.
Version exact(const VersionSpec& spec) {
  const auto& clauses = spec.clauses();
  return clauses.size() == 1 && clauses.front().op == VersionSpec::Op::equal ? clauses.front().version : Version();
}

/// Whether one begins where the other has ended.
bool is_beyond(const VersionSpec& one, const VersionSpec& other) {
  return std::any_of(one.clauses().begin(), one.clauses().end(), [&](const VersionSpec::Clause& clause) {
    using Op = VersionSpec::Op;
    const bool from_below = clause.op == Op::greater_equal || clause.op == Op::greater || clause.op == Op::prefix;
    return from_below && other.is_below(clause.version);
  });
}

/// Whether no release satisfies both; false where only pip could say.
bool exclude_each_other(const VersionSpec& one, const VersionSpec& other) {
  if (const auto release = exact(one)) return !other.matches(release);
  if (const auto release = exact(other)) return !one.matches(release);
  return is_beyond(one, other) || is_beyond(other, one);
}

/// What each clause of a requirement asks for, but those of another scheme, which pip understands (`2.0.0rc1`).
std::vector<VersionSpec> clauses_of(std::string_view requirement) {
  std::vector<VersionSpec> result;
  for (const auto clause : requirement_clauses(requirement)) {
    if (auto spec = wheel_spec(clause)) result.push_back(std::move(*spec));
  }
  return result;
}

/// Of all requirements of a package some release satisfies each.
Expected<void> check_each_other(const std::vector<GivenText>& requirements) {
  struct Asked {
    std::string package;
    VersionSpec spec;
    const GivenText* by;
  };
  std::vector<Asked> before;
  for (const auto& requirement : requirements) {
    const auto name = requirement_name(requirement.value);
    for (auto& spec : clauses_of(requirement.value)) {
      for (const auto& one : before) {
        if (one.package != name || !exclude_each_other(spec, one.spec)) continue;
        if (one.by == &requirement)
          return fail(ErrorCode::usage, fmt::format("no release satisfies {}", in_quotes(requirement.value)), requirement.where);
        return fail(ErrorCode::usage, fmt::format("{} contradicts {}", in_quotes(requirement.value), in_quotes(one.by->value)),
                    requirement.where, {"leave one of them out"});
      }
      before.push_back({name, std::move(spec), &requirement});
    }
  }
  return {};
}

}  // namespace

Expected<void> check_pinned(const Inputs& inputs) {
  if (inputs.options.pip.empty()) return {};
  if (auto fit = check_each_other(inputs.options.pip); !fit) return fit;
  const auto all = limits(inputs.environment);
  for (const auto& requirement : inputs.options.pip) {
    const auto name = requirement_name(requirement.value);
    const auto asked = clauses_of(requirement.value);
    for (const auto& limit : all) {
      const auto excludes = [&](const VersionSpec& spec) { return exclude_each_other(spec, limit.spec); };
      if (limit.package != name || std::none_of(asked.begin(), asked.end(), excludes)) continue;
      return fail(ErrorCode::usage, fmt::format("{} contradicts {}", in_quotes(requirement.value), limit.said), requirement.where,
                  {"leave it out: it is installed anyway"});
    }
  }
  return {};
}

}  // namespace envgen::files
