#include "files/outputs.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "files/extensions.hpp"
#include "files/frozen.hpp"
#include "files/kinds.hpp"
#include "files/known_releases.hpp"
#include "files/pinned.hpp"
#include "model/spelling.hpp"

namespace envgen::files {
namespace {

constexpr std::array all_outputs{
    Output{"dockerfile", "Dockerfile and .dockerignore", dockerfile, {}, true},
    Output{"conda", "environment.yaml and virtual-packages.yml", conda, "conda"},
    Output{"requirements", "requirements.txt for pip and uv", requirements},
    Output{"pyproject", "pyproject.toml for uv and Poetry", pyproject},
    Output{"run", "run.sh, which starts the image with docker or podman", run_script, {}, true},
    Output{"compose", "compose.yaml and its Dockerfile", compose, {}, true},
    Output{"setup", "setup.sh, which creates the environment on a machine without containers", setup_script},
    Output{"devcontainer", ".devcontainer/devcontainer.json and its Dockerfile", devcontainer, {}, true},
    Output{"vscode", ".vscode/settings.json, launch.json and extensions.json", vscode},
    Output{"ci", "a GitHub or GitLab workflow that builds and validates", ci, {}, true},
};

}  // namespace

std::span<const Output> outputs() { return all_outputs; }

const Output* find_output(std::string_view name) {
  const auto found =
      std::find_if(all_outputs.begin(), all_outputs.end(), [&](const Output& one) { return one.name == lower(name); });
  return found == all_outputs.end() ? nullptr : &*found;
}

bool has_apt(const Environment& environment) {
  const auto& system = environment.system;
  return !system || system->family == "ubuntu" || system->family == "debian";
}

Expected<Files> make(const Output& output, const Inputs& inputs) {
  if (auto checked = check_environment(inputs.environment); !checked) return tl::unexpected(std::move(checked.error()));
  if (output.container && inputs.environment.engine == Engine::none)
    return fail(ErrorCode::usage, fmt::format("{} needs a container, which --engine none excludes", output.name), "--engine",
                {"without a container: envgen render setup"});
  if (const auto& engine = inputs.environment.engine; inputs.options.podman && engine && *engine != Engine::podman)
    return fail(ErrorCode::usage, fmt::format("it contradicts --engine {}", name_of(*engine)), "--podman");
  // Those that only start an image have one of such a Dockerfile in mind.
  if (output.container && !has_apt(inputs.environment))
    return fail(ErrorCode::usage, fmt::format("envgen's Dockerfiles use apt, which {} does not have", *inputs.environment.os),
                "--os", {"choose Ubuntu or Debian: --os ubuntu22.04", "without a container: envgen render setup"});
  if (auto checked = check_frozen(inputs); !checked) return tl::unexpected(std::move(checked.error()));
  if (auto checked = check_extensions(inputs); !checked) return tl::unexpected(std::move(checked.error()));
  if (auto checked = check_known_releases(inputs); !checked) return tl::unexpected(std::move(checked.error()));
  if (auto checked = check_pinned(inputs); !checked) return tl::unexpected(std::move(checked.error()));
  return output.render(inputs);
}

}  // namespace envgen::files
