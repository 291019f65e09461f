#include "files/pinned.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "files/limits.hpp"
#include "files/requirement.hpp"
#include "model/shell_word.hpp"
#include "model/spelling.hpp"
#include "model/version_spec.hpp"

namespace envgen::files {
namespace {

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

/// What a wheel pins may be replaced when all is installed, which pip only warns of; CUDA's libraries keep their interfaces.
std::vector<std::string> ways_out(const Limit& limit, const std::string& requirement, const Environment& environment) {
  std::vector<std::string> hints{"leave it out: it is installed anyway"};
  if (limit.package.starts_with("nvidia-"))
    hints.push_back(fmt::format("or replace it when all else is installed: {}pip install {}",
                                environment.installer == Installer::uv ? "uv " : "", shell_word(requirement)));
  return hints;
}

}  // namespace

Expected<void> check_pinned(const Inputs& inputs) {
  if (inputs.options.pip.empty()) return {};
  if (auto fit = check_each_other(inputs.options.pip); !fit) return fit;
  const auto all = limits(inputs);
  for (const auto& requirement : inputs.options.pip) {
    const auto name = requirement_name(requirement.value);
    const auto asked = clauses_of(requirement.value);
    for (const auto& limit : all) {
      const auto excludes = [&](const VersionSpec& spec) { return exclude_each_other(spec, limit.spec); };
      if (limit.package != name || std::none_of(asked.begin(), asked.end(), excludes)) continue;
      return fail(ErrorCode::usage,
                  fmt::format("{} contradicts {}, which {} {}", in_quotes(requirement.value), limit.what, limit.who, limit.does),
                  requirement.where, ways_out(limit, requirement.value, inputs.environment));
    }
  }
  return {};
}

}  // namespace envgen::files
