#include "files/kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/extensions.hpp"
#include "files/frozen.hpp"
#include "files/image_base.hpp"
#include "files/notes.hpp"
#include "files/packages.hpp"
#include "files/quoting.hpp"
#include "files/requirement.hpp"
#include "files/summary.hpp"
#include "files/template.hpp"
#include "model/shell_word.hpp"

namespace envgen::files {
namespace {

Expected<void> refuse_conda(const Environment& environment) {
  if (environment.installer != Installer::conda) return {};
  return fail(ErrorCode::usage, "this is a conda environment, which pip cannot install", "--installer", {"--installer pip"});
}

/// The wheel index marks its builds (`2.9.1+cu126`), and the package index has no such version: so the mark alone tells where a
/// part comes from, although pip treats all indexes alike. torchaudio has one wheel for every CUDA before 0.11, without a mark
/// (pytorch.github.io@04862e37 _get_started/previous-versions.md).
std::vector<std::string> marked(std::vector<std::string> requirements, const Environment& environment) {
  if (environment.build().on_package_index || !environment.build().index_url) return requirements;
  const auto audio = Version::parse(environment.build().torchaudio.value_or(""));
  for (auto& requirement : requirements) {
    const bool is_one_for_all = audio && *audio < Version(0, 11) && requirement.starts_with("torchaudio==");
    if (!is_one_for_all) requirement += "+" + environment.build().tag;
  }
  return requirements;
}

View head_of(const Inputs& inputs) {
  View view;
  const auto index = wheel_index(inputs);
  view.text("title", title(inputs.environment)).texts("notes", install_notes(inputs, RunsIn::machine));
  view.flag("has_index", index.has_value()).text("index", index.value_or(""));
  const auto& mirror = inputs.options.pip_index.value;
  view.flag("has_mirror", !mirror.empty()).text("mirror", mirror);
  return view;
}

/// What an extension is compiled for, as uv is told it: a table of TOML. No build reads ENVGEN_BUILT_FOR, but uv 0.13.9 keeps
/// what it built under these variables and builds anew where one changed (tests/e2e/extensions.sh).
std::string build_variables(const Inputs& inputs) {
  const auto& build = inputs.environment.build();
  std::vector<std::string> rows{"ENVGEN_BUILT_FOR = " + yaml_text(fmt::format("torch {}, {}", build.version, build.tag))};
  if (const auto archs = arch_list(inputs.environment); !archs.empty())
    rows.push_back("TORCH_CUDA_ARCH_LIST = " + yaml_text(archs));
  for (const auto& [name, value] : extension_variables(inputs)) rows.push_back(fmt::format("{} = {}", name, yaml_text(value)));
  return fmt::format("{{ {} }}", fmt::join(rows, ", "));
}

}  // namespace

Expected<Files> requirements(const Inputs& inputs) {
  if (auto refused = refuse_conda(inputs.environment); !refused) return tl::unexpected(std::move(refused.error()));
  auto view = head_of(inputs);
  const auto& frozen = inputs.environment.frozen;
  view.flag("frozen", frozen.has_value()).text("by", frozen ? frozen->by : std::string());
  view.texts("framework",
             frozen ? frozen_lines(*frozen) : marked(framework_requirements(inputs.environment), inputs.environment));
  view.texts("others", frozen ? std::vector<std::string>() : pins_and_extras(inputs));
  const auto last = compiled(inputs.options);
  view.flag("has_compiled", !last.empty()).text("compiled", shell_words(last));
  return only(made_file("requirements.txt", "requirements.txt", std::move(view)));
}

Expected<Files> pyproject(const Inputs& inputs) {
  if (auto refused = refuse_conda(inputs.environment); !refused) return tl::unexpected(std::move(refused.error()));
  auto view = head_of(inputs);
  const auto& environment = inputs.environment;
  // A free-threaded Python is one of its release.
  const auto python = environment.python.version().to_string();
  auto all = framework_requirements(environment);
  std::vector<View> sources;
  for (const auto& requirement : all) sources.push_back(View().text("name", requirement_name(requirement)));
  auto more = pins_and_extras(inputs);
  std::vector<std::string> names;
  for (const auto& requirement : compiled(inputs.options)) {
    more.push_back(requirement);
    names.push_back(requirement_name(requirement));
  }
  view.flag("has_compiled", !names.empty()).text("compiled", fmt::format("{}", fmt::join(yaml_texts(names), ", ")));
  std::vector<std::string> variables;
  for (const auto& name : names) variables.push_back(fmt::format("{} = {}", yaml_text(name), build_variables(inputs)));
  view.text("build_variables", fmt::format("{}", fmt::join(variables, ", ")));
  std::vector<std::string> constraints;
  if (environment.frozen) {
    for (const auto& package : environment.frozen->packages)
      constraints.push_back(fmt::format("{}=={}", package.name, package.version));
  }
  view.flag("frozen", !constraints.empty());
  view.texts("constraints", yaml_texts(std::move(constraints)));
  view.flag("has_uv", environment.frozen || !names.empty());
  all.insert(all.end(), more.begin(), more.end());
  view.text("python", yaml_text(fmt::format("=={}.*", python))).text("tag", environment.build().tag);
  view.texts("dependencies", yaml_texts(std::move(all))).list("sources", std::move(sources));
  return only(made_file("pyproject.toml", "pyproject.toml", std::move(view)));
}

}  // namespace envgen::files
