#include "files/frozen.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/image_base.hpp"
#include "files/kinds.hpp"
#include "files/packages.hpp"
#include "files/requirement.hpp"
#include "files/runtime_stage.hpp"
#include "files/summary.hpp"
#include "files/template.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"

namespace envgen::files {
namespace {

std::vector<std::string> only_in(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  std::vector<std::string> result;
  for (const auto& one : some) {
    if (std::find(others.begin(), others.end(), one) == others.end()) result.push_back(in_quotes(one));
  }
  return result;
}

/// Each requirement is one package of the tree, in the version that it names; the wheel index adds a local part to that.
std::string what_the_tree_lacks(const Environment::Frozen& frozen) {
  std::map<std::string, std::string> versions;
  for (const auto& package : frozen.packages) {
    if (!versions.emplace(requirement_name(package.name), package.version).second)
      return fmt::format("contains {} twice", package.name);
  }
  for (const auto& requirement : frozen.requirements) {
    const auto found = versions.find(requirement_name(requirement.substr(0, requirement.find('['))));
    if (found == versions.end()) return fmt::format("lacks {}", in_quotes(requirement));
    const auto exact = requirement.find("==");
    if (exact == std::string::npos || requirement.find_first_of(",*", exact) != std::string::npos) continue;
    const auto& version = found->second;
    const auto asked = requirement.substr(requirement.find_first_not_of("= ", exact));
    if (version != asked && version.substr(0, version.find('+')) != asked)
      return fmt::format("contains {} {}, but {} was requested", found->first, version, in_quotes(requirement));
  }
  return {};
}

}  // namespace

Expected<void> check_freezable(const Environment& environment) {
  if (environment.installer == Installer::conda)
    return fail(ErrorCode::usage, "uv freezes pip packages, but this is a conda environment", "--freeze",
                {"--installer pip", "conda-lock freezes environment.yaml, using virtual-packages.yml"});
  if (environment.python_provider == PythonProvider::image)
    return fail(ErrorCode::usage, "this environment uses the image's framework, which uv cannot freeze", "--freeze",
                {"--base slim"});
  if (environment.python.free_threaded)
    return fail(ErrorCode::usage, fmt::format("uv cannot freeze for a free-threaded Python, and this is {}", environment.python),
                "--freeze");
  return {};
}

std::vector<std::string> frozen_requirements(const Inputs& inputs) {
  auto result = framework_requirements(inputs.environment);
  const auto others = pins_and_extras(inputs);
  result.insert(result.end(), others.begin(), others.end());
  return result;
}

Expected<void> check_frozen(const Inputs& inputs) {
  const auto& frozen = inputs.environment.frozen;
  if (!frozen) return {};
  const auto wanted = frozen_requirements(inputs);
  const auto missing = only_in(wanted, frozen->requirements);
  const auto foreign = only_in(frozen->requirements, wanted);
  if (missing.empty() && foreign.empty()) {
    const auto lacks = what_the_tree_lacks(*frozen);
    if (lacks.empty()) return check_freezable(inputs.environment);
    return fail(ErrorCode::differs, fmt::format("the frozen tree {}", lacks), "/frozen/packages",
                {"'envgen lock --freeze' regenerates it"});
  }
  return fail(ErrorCode::differs,
              missing.empty()
                  ? fmt::format("the frozen tree was made with {}, which is no longer requested", fmt::join(foreign, ", "))
                  : fmt::format("the frozen tree was made without {}", fmt::join(missing, ", ")),
              "/frozen/requirements", {"'envgen lock --freeze' regenerates it from envgen.json"});
}

std::vector<std::string> frozen_lines(const Environment::Frozen& frozen) {
  std::vector<std::string> lines;
  for (const auto& package : frozen.packages)
    lines.push_back(fmt::format("{}=={} --hash={}", package.name, package.version, fmt::join(package.hashes, " --hash=")));
  return lines;
}

Expected<File> frozen_requirements_file(const Inputs& inputs) {
  View view;
  view.text("title", title(inputs.environment)).text("by", inputs.environment.frozen->by);
  view.texts("lines", frozen_lines(*inputs.environment.frozen));
  return made_file(std::string(frozen_file), frozen_file, std::move(view));
}

std::string with_digest(const Environment& environment, const std::string& image) {
  if (!environment.frozen) return image;
  const auto& known = environment.frozen->images;
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.name == image; });
  return found == known.end() || !found->digest ? image : image + "@" + *found->digest;
}

std::vector<std::string> images_by_tag(const Inputs& inputs) {
  auto environment = inputs.environment;
  if (environment.frozen) environment.frozen->images.clear();
  const Inputs plain{environment, inputs.options, inputs.lock, inputs.made};
  std::vector<std::string> names = ci_images(plain);
  // Where there can be no Dockerfile, its own error says why.
  const auto add = [&](const ImageBase& base) {
    names.push_back(base.image);
    if (base.compat && base.compat->copy_from) names.push_back(*base.compat->copy_from);
  };
  if (const auto base = image_base(plain)) add(*base);
  if (inputs.options.multi_stage) {
    if (const auto stage = runtime_stage(plain, {})) add(stage->base);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  names.erase(std::remove_if(names.begin(), names.end(), [](const auto& name) { return name.find('@') != std::string::npos; }),
              names.end());
  return names;
}

}  // namespace envgen::files
