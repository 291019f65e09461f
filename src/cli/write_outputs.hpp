#pragma once

#include <filesystem>

#include "cli/context.hpp"
#include "files/file.hpp"

namespace envgen::cli {

/// How made files go to a folder.
struct WriteFlags {
  bool check = false;  ///< write nothing; exit 9 with a diff when something is not current
  bool diff = false;   ///< write nothing; show what would change
  bool force = false;  ///< overwrite what was edited by hand, or is not envgen's
};
void add_write_options(CLI::App& app, WriteFlags& flags);

/// Says what the files ask of the machines that they are for, each once.
void note_what_is_needed(const files::Files& files);

/// What write_outputs refuses for the sake of what is in the folder, before anything else is written.
Expected<void> refuse_loss(const files::Files& files, const std::filesystem::path& folder, const WriteFlags& flags);

/// Writes the files, or shows the difference, and says of each what became of it.
/// Errors (differs): a file was edited by hand or is not envgen's; then none is written.
Expected<Exit> write_outputs(const files::Files& files, const std::filesystem::path& folder, const WriteFlags& flags);

}  // namespace envgen::cli
