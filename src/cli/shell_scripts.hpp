#pragma once

#include <string>

#include "cli/command_tree.hpp"

namespace envgen::cli {

/// Completion scripts. Each walks the words before the cursor along the commands, then offers what the last one knows. The texts
/// are templates/completion.* and templates/envgen.1. Errors (internal): those of util::fill.
Expected<std::string> bash_script(const CommandNode& root);
Expected<std::string> zsh_script(const CommandNode& root);
Expected<std::string> fish_script(const CommandNode& root);

/// The manual in mdoc(7); `date` as it stands in the matrix (2026-11-21).
Expected<std::string> manual(const CommandNode& root, std::string_view date);

}  // namespace envgen::cli
