#include "files/extensions.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// What the release needs that pip installs: the newest one that the requirement allows. Null: unknown.
const ExtensionNeeds* needs_of(const Extension& extension, const std::string& requirement) {
  const auto spec = requirement_range(requirement);
  if (!spec) return nullptr;
  for (auto needs = extension.needs.rbegin(); needs != extension.needs.rend(); ++needs) {
    const auto end = needs == extension.needs.rbegin() ? Version() : std::prev(needs)->from;
    if (reaches(*spec, needs->from, end)) return &*needs;
  }
  return nullptr;
}

bool runs_on(const ExtensionNeeds& needs, Capability gpu) {
  if (needs.min_capability && gpu < *needs.min_capability) return false;
  return needs.archs.empty() || std::any_of(needs.archs.begin(), needs.archs.end(),
                                            [&](Capability arch) { return arch.major == gpu.major && arch.minor <= gpu.minor; });
}

/// The newest other release that all these boards run: `flash-attn<2`, `flash-attn>=2.7.4`; empty: there is none.
std::string release_for(const std::vector<Environment::Board>& gpus, const Extension& extension, const ExtensionNeeds& than) {
  const auto all_run = [&](const ExtensionNeeds& needs) {
    return std::all_of(gpus.begin(), gpus.end(), [&](const Environment::Board& gpu) { return runs_on(needs, gpu.capability); });
  };
  const auto found = std::find_if(extension.needs.rbegin(), extension.needs.rend(), all_run);
  if (found == extension.needs.rend()) return {};
  if (found->from > than.from) return fmt::format("{}>={}", extension.name, found->from);
  return fmt::format("{}<{}", extension.name, std::prev(found)->from);
}

/// A GPU that something compiled would refuse at run time.
Expected<void> refuse_gpus(const Inputs& inputs, const GivenText& requirement, const Extension& extension,
                           const ExtensionNeeds& needs) {
  for (const auto& gpu : inputs.environment.gpus) {
    if (runs_on(needs, gpu.capability)) continue;
    std::vector<std::string> hints;
    if (const auto other = release_for(inputs.environment.gpus, extension, needs); !other.empty())
      hints.push_back(fmt::format("a release that runs on it: {}", in_quotes(other)));
    if (!extension.instead.empty()) hints.push_back(fmt::format("leave it out: {}", extension.instead));
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
Expected<void> refuse_older_versions(const Inputs& inputs, const GivenText& requirement, const Extension& extension,
                                     const ExtensionNeeds& needs) {
  const auto other = fmt::format("or name an older release: '{}==VERSION'", extension.name);
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
    const auto* extension = find_extension(inputs.options, requirement.value);
    const auto* needs = extension == nullptr ? nullptr : needs_of(*extension, requirement.value);
    if (needs == nullptr) continue;
    if (auto refused = refuse_gpus(inputs, requirement, *extension, *needs); !refused) return refused;
    if (auto refused = refuse_older_versions(inputs, requirement, *extension, *needs); !refused) return refused;
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
  if (!inputs.environment.torch && find_extension(inputs.options, asked_by->value) != nullptr)
    return fail(ErrorCode::usage, fmt::format("{} needs torch, which this environment does not have", what_compiles(*asked_by)),
                asked_by->where);
  return {};
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
