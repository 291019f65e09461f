#include "files/install_commands.hpp"

#include "files/conda_packages.hpp"
#include "files/packages.hpp"

namespace envgen::files {
namespace {

std::vector<Command> by_conda(const Inputs& inputs) {
  const auto packages = conda_packages(inputs);
  if (!packages) return {};
  const auto& build = inputs.environment.build();
  Command command{"conda", "create", "--name", "torch-" + build.version, "--override-channels"};
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

}  // namespace envgen::files
