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

}  // namespace envgen::cli
