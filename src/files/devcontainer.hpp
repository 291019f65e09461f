#pragma once

#include "files/file.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// .devcontainer/devcontainer.json and its Dockerfile, for VS Code, Codespaces and the Dev Containers CLI.
/// https://containers.dev/implementors/json_reference/. Errors: those of the Dockerfile.
Expected<Files> devcontainer(const Inputs& inputs);

}  // namespace envgen::files
