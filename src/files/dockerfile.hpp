#pragma once

#include "files/file.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// `Dockerfile` and `.dockerignore` for the environment: its base, its system's packages, its Python, the framework with an
/// assertion that it is the locked one, and a user who is not root.
/// Errors (usage): what the base or the system cannot hold: nvcc where no devel image was published, a system whose packages
/// envgen cannot name.
Expected<Files> dockerfile(const Inputs& inputs);

}  // namespace envgen::files
