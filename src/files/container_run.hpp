#pragma once

#include "files/file.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// `run.sh`: starts the image with docker or podman, each flag with what it is for.
/// Errors (usage): a number of GPUs for podman, which names devices.
Expected<Files> run_script(const Inputs& inputs);

/// `compose.yaml`: a service of the image that the Dockerfile beside it builds. For podman the devices are named the CDI way, for
/// podman-compose ignores `deploy.resources` without a message.
/// Errors (usage): as run_script.
Expected<Files> compose(const Inputs& inputs);

}  // namespace envgen::files
