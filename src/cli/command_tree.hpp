#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace envgen::cli {

/// One option or positional argument, as it was registered.
struct OptionNode {
  std::vector<std::string> names;    ///< `--torch`, `-h`; of a positional, its name
  std::string argument;              ///< what stands for its value; empty for a flag
  std::vector<std::string> choices;  ///< the words it can be completed with
  std::string help;
  bool takes_folder = false;
  bool takes_file = false;
};

/// A command as the command line knows it: what completion and the manual are made from.
struct CommandNode {
  std::string name;
  std::string summary;
  std::string group;
  std::vector<OptionNode> options;
  std::vector<OptionNode> positionals;
  std::vector<CommandNode> children;
};

/// envgen itself, with every command of the table set up below it. Values that a flag of a request can take (versions,
/// systems, presets) are those of the matrix.
CommandNode command_tree(const matrix::Matrix& matrix);

/// Completion scripts. Each walks the words before the cursor along the commands, then offers what the last one knows. The texts
/// are templates/completion.* and templates/envgen.1. Errors (internal): those of util::fill.
Expected<std::string> bash_script(const CommandNode& root);
Expected<std::string> zsh_script(const CommandNode& root);
Expected<std::string> fish_script(const CommandNode& root);

/// The manual in mdoc(7); `date` as it stands in the matrix (2026-11-21).
Expected<std::string> manual(const CommandNode& root, std::string_view date);

}  // namespace envgen::cli
