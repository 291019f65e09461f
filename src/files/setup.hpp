#pragma once

#include "files/file.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// setup.sh: the same environment on a bare machine, by venv, uv or conda. Idempotent; needs no GPU; on AutoDL it uses the data
/// disk and its proxy. Errors (usage): a TensorFlow that brings no CUDA; a Python that nobody has; not an environment of conda.
Expected<Files> setup_script(const Inputs& inputs);

}  // namespace envgen::files
