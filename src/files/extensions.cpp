#include "files/extensions.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/known_releases.hpp"
#include "files/requirement.hpp"
#include "model/capability.hpp"
#include "model/spelling.hpp"

namespace envgen::files {

Version torch_version(const Environment& environment) {
  return environment.torch ? Version::parse(environment.torch->version).value_or(Version()) : Version();
}

const Extension* find_extension(const Options& options, std::string_view requirement) {
  const auto name = requirement_name(requirement);
  const auto& known = options.extensions;
  const auto found = std::find_if(known.begin(), known.end(), [&](const Extension& one) { return one.name == name; });
  return found == known.end() ? nullptr : &*found;
}

namespace {

/// What the releases of a package need, ascending.
std::vector<const PackageNeeds*> all_needs(const Options& options, std::string_view package) {
  std::vector<const PackageNeeds*> result;
  for (const auto& needs : options.needs) {
    if (needs.package == package) result.push_back(&needs);
  }
  return result;
}

/// What the release needs that pip installs: the newest one that the requirement allows and, of those whose requirements are
/// known, that fits the environment. Null: unknown.
const PackageNeeds* needs_of(const Inputs& inputs, const std::string& requirement) {
  const auto all = all_needs(inputs.options, requirement_name(requirement));
  const auto spec = requirement_range(requirement);
  if (all.empty() || !spec) return nullptr;
  const auto release = newest_that_fits(inputs, requirement);
  for (auto needs = all.rbegin(); needs != all.rend(); ++needs) {
    const auto end = needs == all.rbegin() ? Version() : (*std::prev(needs))->from;
    if (release ? release >= (*needs)->from : reaches(*spec, (*needs)->from, end)) return *needs;
  }
  return nullptr;
}

bool runs_on(const PackageNeeds& needs, Capability gpu) {
  if (needs.min_capability && gpu < *needs.min_capability) return false;
  return needs.archs.empty() || std::any_of(needs.archs.begin(), needs.archs.end(),
                                            [&](Capability arch) { return arch.major == gpu.major && arch.minor <= gpu.minor; });
}

/// Another release that all boards run: `a release that runs on it: 'flash-attn<2'`, a later or an earlier one than this; empty:
/// there is none.
std::string release_for(const Inputs& inputs, const PackageNeeds& than) {
  const auto& gpus = inputs.environment.gpus;
  const auto all = all_needs(inputs.options, than.package);
  const auto all_run = [&](const PackageNeeds* needs) {
    return std::all_of(gpus.begin(), gpus.end(), [&](const Environment::Board& gpu) { return runs_on(*needs, gpu.capability); });
  };
  const auto found = std::find_if(all.rbegin(), all.rend(), all_run);
  if (found == all.rend()) return {};
  constexpr std::string_view said = "a release that runs on it";
  const auto range = (*found)->from > than.from ? fmt::format("{}>={}", than.package, (*found)->from)
                                                : fmt::format("{}<{}", than.package, (*std::prev(found))->from);
  const auto fitting = releases_that_fit(inputs, than.package);
  if (!fitting || newest_that_fits(inputs, range)) return fmt::format("{}: {}", said, in_quotes(range));
  for (const auto& release : *fitting) {
    const auto has_begun = [&](const PackageNeeds* needs) { return release_number(release) >= needs->from; };
    const auto own = std::find_if(all.rbegin(), all.rend(), has_begun);
    if (own != all.rend() && all_run(*own)) return fmt::format("{}: {}", said, in_quotes(than.package + "==" + release));
  }
  return fmt::format("{}, for another torch or Python: {}", said, in_quotes(range));
}

/// A GPU that its code would refuse at run time.
Expected<void> refuse_gpus(const Inputs& inputs, const GivenText& requirement, const PackageNeeds& needs) {
  for (const auto& gpu : inputs.environment.gpus) {
    if (runs_on(needs, gpu.capability)) continue;
    std::vector<std::string> hints;
    if (auto other = release_for(inputs, needs); !other.empty()) hints.push_back(std::move(other));
    const auto* extension = find_extension(inputs.options, requirement.value);
    if (extension != nullptr && !extension->instead.empty()) hints.push_back(fmt::format("leave it out: {}", extension->instead));
    const auto said = needs.archs.empty() || gpu.capability < needs.archs.front()
                          ? fmt::format("needs a GPU of compute capability {} or newer",
                                        needs.archs.empty() ? *needs.min_capability : needs.archs.front())
                          : fmt::format("is compiled for compute capabilities {} alone", fmt::join(needs.archs, ", "));
    return fail(ErrorCode::usage,
                fmt::format("{} {}, but the {} has {}", in_quotes(requirement.value), said, gpu.name, gpu.capability),
                requirement.where, std::move(hints));
  }
  return {};
}

/// A CUDA that does not compile it, or a torch that it is not for.
Expected<void> refuse_older_versions(const Inputs& inputs, const GivenText& requirement, const PackageNeeds& needs) {
  const auto other = fmt::format("or name an older release: '{}==VERSION'", needs.package);
  const auto& cuda = inputs.environment.build().cuda;
  if (cuda && needs.min_cuda && *cuda < *needs.min_cuda)
    return fail(ErrorCode::usage,
                fmt::format("{} compiles with CUDA {} or newer, but this environment has CUDA {}", in_quotes(requirement.value),
                            *needs.min_cuda, *cuda),
                requirement.where, {fmt::format("--cuda '>={}', which may need a newer torch", *needs.min_cuda), other});
  const auto torch = torch_version(inputs.environment);
  if (torch && needs.min_torch && torch < *needs.min_torch)
    return fail(ErrorCode::usage,
                fmt::format("{} needs torch {} or newer, but this environment has torch {}", in_quotes(requirement.value),
                            *needs.min_torch, torch),
                requirement.where, {fmt::format("--torch '>={}'", *needs.min_torch), other});
  return {};
}

Expected<void> refuse_unmet_needs(const Inputs& inputs) {
  for (const auto& requirement : inputs.options.pip) {
    const auto* needs = needs_of(inputs, requirement.value);
    if (needs == nullptr) continue;
    if (auto refused = refuse_gpus(inputs, requirement, *needs); !refused) return refused;
    if (auto refused = refuse_older_versions(inputs, requirement, *needs); !refused) return refused;
  }
  return {};
}

std::string without_hyphens(std::string name) {
  std::erase(name, '-');
  return name;
}

/// `flashattn`, which pip takes for another package than flash-attn.
Expected<void> refuse_near_names(const Options& options) {
  for (const auto& requirement : options.pip) {
    if (find_extension(options, requirement.value) != nullptr) continue;
    const auto letters = without_hyphens(requirement_name(requirement.value));
    for (const auto& known : options.extensions) {
      if (without_hyphens(known.name) == letters)
        return fail(ErrorCode::usage, fmt::format("no package is called {}", in_quotes(requirement.value)), requirement.where,
                    {fmt::format("did you mean {}?", known.name)});
    }
  }
  return {};
}

}  // namespace

Expected<void> check_extensions(const Inputs& inputs) {
  if (auto refused = refuse_near_names(inputs.options); !refused) return refused;
  if (auto refused = refuse_unmet_needs(inputs); !refused) return refused;
  const auto* asked_by = compiler_asked_by(inputs.options);
  if (asked_by == nullptr) return {};
  if (!inputs.environment.build().cuda)
    return fail(ErrorCode::usage, fmt::format("{} needs a CUDA build, but this is a CPU build", what_compiles(*asked_by)),
                asked_by->where);
  for (const auto& requirement : inputs.options.pip) {
    if (!inputs.environment.torch && find_extension(inputs.options, requirement.value) != nullptr)
      return refuse_without_torch(requirement);
  }
  return {};
}

Expected<void> refuse_without_torch(const GivenText& requirement) {
  return fail(ErrorCode::usage, fmt::format("{} needs torch, which this environment does not have", in_quotes(requirement.value)),
              requirement.where, {"make an environment of PyTorch for it: --torch VERSION"});
}

std::map<std::string, std::string> extension_variables(const Inputs& inputs) {
  std::set<int> majors;
  for (const auto& board : inputs.environment.gpus) majors.insert(board.capability.major * 10);
  std::map<std::string, std::string> variables;
  for (const auto& requirement : inputs.options.pip) {
    const auto* extension = find_extension(inputs.options, requirement.value);
    if (extension == nullptr || extension->variable.empty()) continue;
    auto value = extension->value.empty() ? fmt::format("{}", fmt::join(majors, ";")) : extension->value;
    if (!value.empty()) variables.emplace(extension->variable, std::move(value));
  }
  return variables;
}

const GivenText* compiler_asked_by(const Options& options) {
  if (!options.needs_nvcc.value.empty()) return &options.needs_nvcc;
  const auto found = std::find_if(options.pip.begin(), options.pip.end(), [&](const GivenText& requirement) {
    return find_extension(options, requirement.value) != nullptr;
  });
  return found == options.pip.end() ? nullptr : &*found;
}

std::string what_compiles(const GivenText& asked_by) {
  return asked_by.value == asked_by.where ? "CUDA code that is compiled later" : in_quotes(asked_by.value);
}

}  // namespace envgen::files
