#pragma once

#include <span>
#include <string_view>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace envgen::cli {

/// A command line that the help of a command shows.
struct Example {
  std::string_view command;  ///< `resolve`, `matrix update`
  std::string_view line;     ///< as a shell takes it
};
std::span<const Example> examples();

/// Ends the help of a command, and of each of its subcommands, with its examples.
void add_examples(CLI::App& command);

}  // namespace envgen::cli
