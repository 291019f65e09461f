#pragma once

#include "output/file.hpp"
#include "output/options.hpp"

namespace envgen::output {

/// `Dockerfile` and `.dockerignore` for the environment: its base, its system's packages, its Python, the framework with an
/// assertion that it is the locked one, and a user who is not root.
/// Errors (usage): what the base or the system cannot hold: nvcc where no devel image was published, a system whose packages
/// envgen cannot name.
Expected<Files> dockerfile(const Subject& subject);

}  // namespace envgen::output
