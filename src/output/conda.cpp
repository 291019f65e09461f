#include "output/conda.hpp"

#include <algorithm>

#include "model/choices.hpp"
#include "model/version.hpp"
#include "output/compat.hpp"
#include "output/conda_packages.hpp"
#include "output/conda_toolkit.hpp"
#include "output/extensions.hpp"
#include "output/image_base.hpp"
#include "output/mirrors.hpp"
#include "output/packages.hpp"
#include "output/quoting.hpp"
#include "output/summary.hpp"
#include "output/template.hpp"

namespace envgen::output {
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

Expected<Files> conda(const Subject& subject) {
  if (auto checked = check_extensions(subject); !checked) return tl::unexpected(std::move(checked.error()));
  auto packages = conda_packages_with_toolkit(subject);
  if (!packages) return tl::unexpected(std::move(packages.error()));
  auto pip = extras(subject);
  const auto& index = subject.options.pip_index.value;
  if (!pip.empty() && !index.empty()) pip.insert(pip.begin(), "--index-url " + index);
  std::vector<View> variables;
  for (const auto& [name, value] : conda_variables(subject.environment))
    variables.push_back(View().text("name", name).text("value", yaml_text(value)));
  View view;
  view.text("title", title(subject.environment)).texts("notes", compat_notes(subject.environment, RunsIn::machine));
  view.texts("channels", yaml_texts(conda_channels(subject.options, packages->channels)))
      .texts("specs", yaml_texts(packages->specs));
  view.flag("has_pip", !pip.empty()).texts("pip", yaml_texts(pip));
  view.flag("has_variables", !variables.empty());
  view.list("variables", std::move(variables));
  const auto last = compiled(subject.options);
  view.flag("has_compiled", !last.empty()).text("compiled", shell_words(last));
  const auto& torch = *subject.environment.torch;
  const bool unread =
      packages->channels.back() == "conda-forge" && torch.conda_channels.front() == "conda-forge" && torch.torchvision;
  view.flag("has_unread", unread).text("unread", torch.torchaudio ? "torchvision and torchaudio" : "torchvision");
  const auto archs = arch_list(subject.environment);
  view.flag("has_toolkit", wants_conda_toolkit(subject)).text("headers", conda_toolkit_headers(subject.environment));
  view.flag("has_archs", !archs.empty()).text("archs", archs);
  const bool cuda = subject.environment.build().cuda.has_value();
  view.flag("cuda", cuda);
  auto file = made_file("environment.yaml", "environment.yaml", std::move(view));
  if (!file) return tl::unexpected(std::move(file.error()));
  Files files{std::move(*file)};
  if (!cuda) return files;
  auto beside = virtual_packages(subject.environment);
  if (!beside) return tl::unexpected(std::move(beside.error()));
  files.push_back(std::move(*beside));
  return files;
}

}  // namespace envgen::output
