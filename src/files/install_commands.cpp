#include "files/install_commands.hpp"

#include <fmt/format.h>

#include "files/conda_packages.hpp"
#include "files/packages.hpp"
#include "files/tools.hpp"
#include "model/shell_word.hpp"

namespace envgen::files {
namespace {

std::string conda_name(const Environment::FrameworkBuild& build) { return "torch-" + build.version; }

/// Makes a virtual environment for pip and enters it. A Python that no tool known here has must be there already.
std::string virtual_environment(const Environment& environment) {
  const auto* make = environment.python_provider == PythonProvider::uv ? "uv venv --seed --python {}" : "python{} -m venv .venv";
  return fmt::format(fmt::runtime(make), environment.python) + " && . .venv/bin/activate" +
         (has_old_pip(environment) ? " && pip install --upgrade pip" : "");
}

std::vector<Command> by_conda(const Inputs& inputs) {
  const auto packages = conda_packages(inputs);
  if (!packages) return {};
  const auto& build = inputs.environment.build();
  Command command{"conda", "create", "--name", conda_name(build), "--override-channels"};
  for (const auto& channel : packages->channels) command.insert(command.end(), {"--channel", channel});
  command.insert(command.end(), packages->specs.begin(), packages->specs.end());
  return {std::move(command)};
}

std::vector<Command> by_pull(const Environment& environment) {
  const auto& images = environment.images;
  const auto& image = environment.variant == Variant::devel ? images.official_devel : images.official_runtime;
  if (!image) return {};
  return {{environment.engine == Engine::podman ? "podman" : "docker", "pull", *image}};
}

}  // namespace

std::vector<Command> install_commands(const Environment& environment) {
  const Options none;
  const Inputs inputs{environment, none, {}};
  if (environment.installer == Installer::conda) return by_conda(inputs);
  if (environment.python_provider == PythonProvider::image) return by_pull(environment);
  std::vector<Command> commands;
  const bool uv = environment.installer == Installer::uv;
  if (uv) commands.push_back({"uv", "venv", "--python", environment.python.to_string()});
  for (const auto& step : pip_steps(inputs)) {
    auto command = uv ? Command{"uv", "pip", "install"} : Command{"pip", "install"};
    command.insert(command.end(), step.requirements.begin(), step.requirements.end());
    if (step.index_url) command.insert(command.end(), {"--index-url", *step.index_url});
    commands.push_back(std::move(command));
  }
  return commands;
}

std::vector<std::string> install_lines(const Environment& environment) {
  std::vector<std::string> lines;
  for (const auto& command : install_commands(environment)) lines.push_back(shell_words(command));
  if (lines.empty()) return lines;
  if (environment.installer == Installer::conda) {
    std::string overrides;
    for (const auto& [name, value] : conda_variables(environment)) {
      if (name.starts_with("CONDA_OVERRIDE_")) overrides += fmt::format("{}={} ", name, value);
    }
    lines.front().insert(0, overrides);
    lines.push_back("conda activate " + conda_name(environment.build()));
  } else if (environment.installer == Installer::pip && environment.python_provider != PythonProvider::image) {
    lines.insert(lines.begin(), virtual_environment(environment));
  }
  return lines;
}

}  // namespace envgen::files
