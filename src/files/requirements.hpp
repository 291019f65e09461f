#pragma once

#include "files/file.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// `requirements.txt` for pip and `uv pip`: every part exact, and the wheel index only where the build is not on the package
/// index. Errors (usage): an environment of conda.
Expected<Files> requirements(const Inputs& inputs);

/// `pyproject.toml` for uv and Poetry: the same, with the wheel index explicit, so that nothing else comes from it.
/// https://docs.astral.sh/uv/guides/integration/pytorch/, https://python-poetry.org/docs/repositories/#explicit-package-sources
/// Errors (usage): an environment of conda.
Expected<Files> pyproject(const Inputs& inputs);

}  // namespace envgen::files
