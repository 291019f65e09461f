#include "files/extensions.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/capability.hpp"
#include "model/spelling.hpp"

namespace envgen::files {

std::string requirement_name(std::string_view requirement) {
  std::string name;
  for (const char c : lower(requirement.substr(0, requirement.find_first_of(" [=<>!~;")))) {
    const bool separates = c == '-' || c == '_' || c == '.';
    if (separates && name.ends_with('-')) continue;
    name += separates ? '-' : c;
  }
  return name;
}

std::string_view requirement_spec(std::string_view requirement) {
  return requirement.substr(std::min(requirement.find_first_of("<=>~!"), requirement.size()));
}

namespace {

/// `standard` of `uvicorn[standard]>=0.30`.
std::string_view requirement_extras(std::string_view requirement) {
  const auto begin = requirement.find('[');
  if (begin == std::string_view::npos) return {};
  return requirement.substr(begin + 1, requirement.find(']') - begin - 1);
}

/// Both lists of what commas part, without what is in both.
std::string joined(std::string_view one, std::string_view other) {
  std::vector<std::string> parts;
  for (auto list : {one, other}) {
    while (!list.empty()) {
      const auto comma = std::min(list.find(','), list.size());
      std::string part(list.substr(0, comma));
      list.remove_prefix(std::min(comma + 1, list.size()));
      std::erase(part, ' ');
      if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(std::move(part));
    }
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace

std::vector<std::string> one_each(std::vector<std::string> requirements) {
  std::vector<std::string> result;
  for (auto& requirement : requirements) {
    const auto name = requirement_name(requirement);
    const auto same = std::find_if(result.begin(), result.end(), [&](const auto& one) { return requirement_name(one) == name; });
    if (same == result.end()) {
      result.push_back(std::move(requirement));
      continue;
    }
    const auto brought = joined(requirement_extras(*same), requirement_extras(requirement));
    const auto spec = joined(requirement_spec(*same), requirement_spec(requirement));
    *same = same->substr(0, same->find_first_of(" [=<>!~")) + (brought.empty() ? "" : "[" + brought + "]") + spec;
  }
  return result;
}

const Extension* find_extension(const Options& options, std::string_view requirement) {
  const auto name = requirement_name(requirement);
  const auto& known = options.extensions;
  const auto found = std::find_if(known.begin(), known.end(), [&](const Extension& one) { return one.name == name; });
  return found == known.end() ? nullptr : &*found;
}

namespace {

/// A GPU that something compiled would refuse at run time.
Expected<void> refuse_older_gpus(const Inputs& inputs) {
  for (const auto& requirement : inputs.options.pip) {
    const auto* extension = find_extension(inputs.options, requirement.value);
    if (extension == nullptr || !extension->least) continue;
    for (const auto& gpu : inputs.environment.gpus) {
      if (gpu.capability >= *extension->least) continue;
      return fail(ErrorCode::usage,
                  fmt::format("{} needs a GPU of compute capability {} or newer, but the {} has {}", in_quotes(requirement.value),
                              *extension->least, gpu.name, gpu.capability),
                  requirement.where, {"leave it out: torch.nn.functional.scaled_dot_product_attention runs on this GPU"});
    }
  }
  return {};
}

/// A CUDA that the newest release of something does not compile with; an older release may, so one that is named passes.
Expected<void> refuse_older_cuda(const Inputs& inputs) {
  const auto& cuda = inputs.environment.build().cuda;
  for (const auto& requirement : inputs.options.pip) {
    const auto* extension = find_extension(inputs.options, requirement.value);
    const bool names_release = !requirement_spec(requirement.value).empty();
    if (extension == nullptr || names_release || !cuda || !extension->min_cuda || *cuda >= *extension->min_cuda) continue;
    return fail(ErrorCode::usage,
                fmt::format("{} compiles with CUDA {} or newer, but this environment has CUDA {}", in_quotes(requirement.value),
                            *extension->min_cuda, *cuda),
                requirement.where,
                {fmt::format("--cuda '>={}', which may need a newer torch", *extension->min_cuda),
                 fmt::format("or name an older release: '{}==VERSION'", requirement_name(requirement.value))});
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
  if (auto refused = refuse_older_gpus(inputs); !refused) return refused;
  if (auto refused = refuse_older_cuda(inputs); !refused) return refused;
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
