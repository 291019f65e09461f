#pragma once

#include <string>

#include "cli/context.hpp"

namespace envgen::cli {

/// What `envgen --version` prints; with --json, what this program is and which facts it uses, as one object.
/// Errors: those of `Context::matrix`, with --json.
Expected<std::string> version_text(Context& context);

}  // namespace envgen::cli
