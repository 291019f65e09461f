#pragma once

#include <cstdio>
#include <variant>

#include "cli/commands.hpp"
#include "project/lock.hpp"

namespace envgen::cli {

/// A request, resolved and verified, as the lock that it would be given. Where there is no environment, the proof or the missing
/// facts are printed (`refusal_to`: stderr, where stdout is for a file) and the exit status says so. `project`: the file that the
/// request came from; empty: none.
Expected<std::variant<project::Lock, Exit>> fresh_lock(Request request, const std::string& project, const matrix::Matrix& matrix,
                                                       const Context& context, std::FILE* refusal_to = stdout);

}  // namespace envgen::cli
