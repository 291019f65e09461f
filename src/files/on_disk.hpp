#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "files/file.hpp"
#include "model/error.hpp"

namespace envgen::files {

/// What writing a file would do to what is there.
enum class Change {
  none,     ///< the same bytes are there
  create,   ///< nothing is there
  update,   ///< envgen wrote another text there, and nobody touched it
  restore,  ///< the same text is there, with line ends of Windows or without the permission to run
  another,  ///< envgen wrote it for another project file
  edited,   ///< envgen wrote it, and somebody changed it since
  foreign,  ///< envgen did not write it
  kept,     ///< envgen did not write it, and only proposes one
};

/// Nothing is to be written.
constexpr bool stays(Change change) { return change == Change::none || change == Change::kept; }

struct Standing {
  std::filesystem::path path;
  const File* file = nullptr;
  Change change = Change::none;
  std::string old;          ///< what is there, with the line ends of Unix
  bool leads_out = false;   ///< by a link, to a place outside the folder
  bool of_windows = false;  ///< it has the line ends of Windows
  bool read_only = false;   ///< nobody may write to it; a rename would replace it all the same
};

/// How the files stand to what is in the folder. Errors (bad_input): something there cannot be read, or is no file.
Expected<std::vector<Standing>> standings(const Files& files, const std::filesystem::path& folder);

/// True of a file that stays, and does not name the one that it has to bring in: the rest of the output is of no use then.
bool lacks_include(const Standing& standing);

/// What is not overwritten without being told to. Errors (differs): a link that leads out of the folder, which a repository may
/// bring along; a file that was edited by hand, that is not envgen's or another project's, or that is read-only.
Expected<void> refuse_loss(const std::vector<Standing>& standings);

/// The difference of two texts as `diff -u` has it; empty when they are equal.
std::string unified_diff(const std::string& before, const std::string& after, const std::string& name);

/// Writes what is not there or not the same, folders included; each file whole or not at all. Errors (bad_input): a folder or a
/// file that cannot be made; (interrupted). Their hints say which files are written and which are not.
Expected<void> write(const std::vector<Standing>& standings);

}  // namespace envgen::files
