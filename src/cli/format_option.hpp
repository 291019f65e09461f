#pragma once

#include "cli/context.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace envgen::cli {

/// `--format text|json`, the same for every command: with json, errors are JSON on stdout too.
void add_format_option(CLI::App& app, Context& context);

}  // namespace envgen::cli
