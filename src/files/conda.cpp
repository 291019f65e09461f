#include "files/kinds.hpp"

#include <algorithm>

#include "files/conda_packages.hpp"
#include "files/image_base.hpp"
#include "files/mirrors.hpp"
#include "files/notes.hpp"
#include "files/packages.hpp"
#include "files/quoting.hpp"
#include "files/summary.hpp"
#include "files/template.hpp"
#include "model/choices.hpp"
#include "model/shell_word.hpp"
#include "model/version.hpp"

namespace envgen::files {
namespace {

/// conda-lock takes these for those of the machine; a file of one's own replaces its defaults, so all of them stand in it
/// (conda-lock, conda_lock/default-virtual-packages.yaml and virtual_package.py).
Expected<File> virtual_packages(const Environment& environment) {
  const Version least_glibc(2, 28);
  const auto glibc = std::max(environment.build().glibc.value_or(least_glibc), least_glibc);
  const bool arm = environment.platform == Platform::linux_aarch64;
  View view;
  view.text("title", title(environment)).text("subdir", arm ? "linux-aarch64" : "linux-64");
  view.text("archspec", arm ? "1 aarch64" : "1 x86_64").text("glibc", glibc.to_string());
  const auto* overridden = overridden_cuda(environment);
  view.text("cuda", overridden != nullptr ? *overridden : spelling_or(environment.build().cuda, ""));
  return made_file("virtual-packages.yml", "virtual-packages.yml", std::move(view));
}

}  // namespace

Expected<Files> conda(const Inputs& inputs) {
  auto packages = conda_packages_with_toolkit(inputs);
  if (!packages) return tl::unexpected(std::move(packages.error()));
  auto pip = extras(inputs);
  const auto& index = inputs.options.pip_index.value;
  if (!pip.empty() && !index.empty()) pip.insert(pip.begin(), "--index-url " + index);
  std::vector<View> variables;
  for (const auto& [name, value] : conda_variables(inputs.environment))
    variables.push_back(View().text("name", name).text("value", yaml_text(value)));
  View view;
  view.text("title", title(inputs.environment)).texts("notes", install_notes(inputs, RunsIn::machine));
  view.texts("channels", yaml_texts(conda_channels(inputs.options, packages->channels)))
      .texts("specs", yaml_texts(packages->specs));
  view.flag("has_pip", !pip.empty()).texts("pip", yaml_texts(pip));
  view.flag("has_variables", !variables.empty());
  view.list("variables", std::move(variables));
  const auto last = compiled(inputs.options);
  view.flag("has_compiled", !last.empty()).text("compiled", shell_words(last));
  view.flag("has_unread", packages->channels.back() == "conda-forge" && !is_of_pytorch_channel(inputs.environment));
  const auto archs = arch_list(inputs.environment);
  view.flag("has_toolkit", wants_conda_toolkit(inputs)).text("headers", conda_toolkit_headers(inputs.environment));
  view.flag("has_archs", !archs.empty()).text("archs", archs);
  const bool cuda = inputs.environment.build().cuda.has_value();
  view.flag("cuda", cuda);
  auto file = made_file("environment.yaml", "environment.yaml", std::move(view));
  if (!file) return tl::unexpected(std::move(file.error()));
  Files files{std::move(*file)};
  if (!cuda) return files;
  auto beside = virtual_packages(inputs.environment);
  if (!beside) return tl::unexpected(std::move(beside.error()));
  files.push_back(std::move(*beside));
  return files;
}

}  // namespace envgen::files
