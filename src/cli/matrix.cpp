#include <CLI/CLI.hpp>

#include "cli/commands.hpp"

namespace envgen::cli {
Action setup_matrix(CLI::App& app, Context& context);
Action setup_matrix(CLI::App&, Context&) { return [] { return Expected<Exit>(Exit::ok); }; }
}  // namespace envgen::cli
