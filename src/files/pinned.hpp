#pragma once

#include "files/options.hpp"

namespace envgen::files {

/// Errors (usage): a requirement that excludes the release of a package which the framework's wheel pins, or which the
/// environment needs, or that another requirement asks for; pip would find no solution, or break the framework.
Expected<void> check_pinned(const Inputs& inputs);

}  // namespace envgen::files
