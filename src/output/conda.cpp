#include "output/conda.hpp"

#include "output/conda_packages.hpp"
#include "output/mirrors.hpp"
#include "output/packages.hpp"
#include "output/quoting.hpp"
#include "output/summary.hpp"
#include "output/template.hpp"

namespace envgen::output {

Expected<Files> conda(const Subject& subject) {
  auto packages = conda_packages(subject.environment);
  if (!packages) return tl::unexpected(std::move(packages.error()));
  auto pip = extras(subject);
  const auto& index = subject.options.pip_index.value;
  if (!pip.empty() && !index.empty()) pip.insert(pip.begin(), "--index-url " + index);
  std::vector<View> variables;
  for (const auto& [name, value] : subject.environment.env)
    variables.push_back(View().text("name", name).text("value", yaml_text(value)));
  View view;
  view.text("title", title(subject.environment));
  view.texts("channels", yaml_texts(conda_channels(subject.options, packages->channels)))
      .texts("specs", yaml_texts(packages->specs));
  view.flag("has_pip", !pip.empty()).texts("pip", yaml_texts(pip));
  view.flag("has_variables", !variables.empty()).list("variables", std::move(variables));
  const auto last = compiled(subject.options);
  view.flag("has_compiled", !last.empty()).text("compiled", shell_words(last));
  return only(made_file("environment.yaml", "environment.yaml", std::move(view)));
}

}  // namespace envgen::output
