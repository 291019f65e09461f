#pragma once

#include "output/file.hpp"
#include "output/options.hpp"

namespace envgen::output {

/// .devcontainer/devcontainer.json and its Dockerfile, for VS Code, Codespaces and the Dev Containers CLI.
/// https://containers.dev/implementors/json_reference/. Errors: those of the Dockerfile.
Expected<Files> devcontainer(const Subject& subject);

}  // namespace envgen::output
