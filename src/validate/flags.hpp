#pragma once

#include <string>
#include <vector>

#include "validate/run.hpp"

namespace envgen::validate {

/// Errors (usage): a value that no engine would take.
Expected<void> check_flags(const Options& options);

/// The words of `create` that were asked for.
std::vector<std::string> container_flags(const Run& run);

}  // namespace envgen::validate
