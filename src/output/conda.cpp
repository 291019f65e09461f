#include "output/conda.hpp"

#include "output/conda_packages.hpp"
#include "output/quoting.hpp"
#include "output/summary.hpp"
#include "output/template.hpp"

namespace envgen::output {

Expected<Files> conda(const Subject& subject) {
  auto packages = conda_packages(subject.environment);
  if (!packages) return tl::unexpected(std::move(packages.error()));
  for (auto& text : packages->channels) text = yaml_text(text);
  for (auto& text : packages->specs) text = yaml_text(text);
  std::vector<std::string> pip;
  for (const auto& requirement : subject.options.pip) pip.push_back(yaml_text(requirement.value));
  std::vector<View> variables;
  for (const auto& [name, value] : subject.environment.env)
    variables.push_back(View().text("name", name).text("value", yaml_text(value)));
  View view;
  view.text("title", title(subject.environment)).text("mark", unsealed_mark());
  view.texts("channels", packages->channels).texts("specs", packages->specs);
  view.flag("has_pip", !pip.empty()).texts("pip", pip);
  view.flag("has_variables", !variables.empty()).list("variables", std::move(variables));
  auto text = fill("environment.yaml", view);
  if (!text) return tl::unexpected(std::move(text.error()));
  return Files{{"environment.yaml", seal(std::move(*text)), false}};
}

}  // namespace envgen::output
