#include "files/limits.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "files/extensions.hpp"
#include "files/requirement.hpp"
#include "model/spelling.hpp"

namespace envgen::files {
namespace {

/// Wheels of the package index do not hold CUDA's libraries but require them; those of PyTorch's own index for x86_64 do so from
/// 2.3 on (pytorch v2.3.0 .github/scripts/generate_binary_build_matrix.py: requirements for 11.8 and 12.1).
bool requires_libraries(const Environment& environment) {
  const auto torch = torch_version(environment);
  return torch &&
         (environment.build().on_package_index || (environment.platform == Platform::linux_x86_64 && torch >= Version(2, 3)));
}

class Limits {
 public:
  explicit Limits(const Inputs& inputs) : inputs_(inputs), environment_(inputs.environment) {}

  std::vector<Limit> all() {
    const auto& build = environment_.build();
    const auto framework = environment_.torch ? "torch" : "tensorflow";
    constexpr std::string_view here = "this environment";
    add(framework, "==" + build.version, here, "has", fmt::format("{} {}", framework, build.version));
    const auto python = environment_.python.version().to_string();
    add("python", fmt::format("=={}.*", python), here, "has", "Python " + python);
    for (const auto& pin : environment_.pins)
      add(requirement_name(pin.package), pin.spec, here, "needs", in_quotes(pin.package + pin.spec));
    for (const auto& asked : inputs_.options.pip) {
      if (const auto spec = requirement_spec(asked.value); !spec.empty())
        add(requirement_name(asked.value), spec, asked.where, "asks for", in_quotes(asked.value));
    }
    if (environment_.installer == Installer::conda) return std::move(result_);
    add_requirements_of(framework, build.version);
    if (build.cuda && requires_libraries(environment_)) add_libraries();
    return std::move(result_);
  }

 private:
  void add(std::string package, std::string_view spec, std::string_view who, std::string_view does, std::string what) {
    if (auto parsed = wheel_spec(spec))
      result_.push_back({std::move(package), std::move(*parsed), std::string(who), does, std::move(what)});
  }

  void add_requirements_of(std::string_view framework, const std::string& version) {
    for (const auto& row : inputs_.options.requirements) {
      const auto& releases = row.releases;
      if (row.package != framework || std::find(releases.begin(), releases.end(), version) == releases.end()) continue;
      add(row.of, row.spec, fmt::format("{} {}", framework, version), "requires", in_quotes(row.of + row.spec));
    }
  }

  void add_libraries() {
    const auto& build = environment_.build();
    const auto pinned = [&](const std::string& package, const std::string& release, std::string_view suffix = "") {
      add(package, fmt::format("=={}{}", release, suffix), "torch " + build.version, "pins",
          fmt::format("{} {}", package, release));
    };
    // From 2.14 on it is the minor that is pinned (`~=3.8.0`).
    if (const auto release = Version::parse(build.triton.value_or(""))) pinned("triton", release->at(2).to_string(), ".*");
    const auto of_cuda = [&](std::string_view name) { return fmt::format("nvidia-{}-cu{}", name, build.cuda->major()); };
    if (build.nccl) pinned(of_cuda("nccl"), *build.nccl);
    if (const auto& cudnn = environment_.cudnn; cudnn && cudnn->version && cudnn->from == CudnnFrom::wheel)
      pinned(of_cuda("cudnn"), cudnn->version->to_string());
  }

  const Inputs& inputs_;
  const Environment& environment_;
  std::vector<Limit> result_;
};

/// The release that a clause alone allows; none: there are several.
Version exact(const VersionSpec& spec) {
  const auto& clauses = spec.clauses();
  return clauses.size() == 1 && clauses.front().op == VersionSpec::Op::equal ? clauses.front().version : Version();
}

}  // namespace

std::vector<Limit> limits(const Inputs& inputs) { return Limits(inputs).all(); }

bool is_newer(const VersionSpec& one, const VersionSpec& other) {
  return std::any_of(one.clauses().begin(), one.clauses().end(), [&](const VersionSpec::Clause& clause) {
    using Op = VersionSpec::Op;
    const bool has_begin =
        clause.op == Op::greater_equal || clause.op == Op::greater || clause.op == Op::prefix || clause.op == Op::equal;
    return has_begin && other.is_below(clause.version);
  });
}

bool exclude_each_other(const VersionSpec& one, const VersionSpec& other) {
  if (const auto release = exact(one)) return !other.matches(release);
  if (const auto release = exact(other)) return !one.matches(release);
  return is_newer(one, other) || is_newer(other, one);
}

std::vector<VersionSpec> clauses_of(std::string_view requirement) {
  std::vector<VersionSpec> result;
  for (const auto clause : requirement_clauses(requirement)) {
    if (auto spec = wheel_spec(clause)) result.push_back(std::move(*spec));
  }
  return result;
}

}  // namespace envgen::files
