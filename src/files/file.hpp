#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace envgen::files {

/// One file that is made from an environment.
struct File {
  std::string path;  ///< inside the folder of the outputs, with `/`
  std::string text;
  bool executable = false;
  bool needed = false;        ///< the first file of the output is of no use without it
  bool proposed = false;      ///< a file of the same name that envgen did not write serves as well, and stays
  std::string included = {};  ///< of a proposed file: the other one that it brings in, which one that stays has to name, too
  std::vector<std::string> notes = {};  ///< what its user must know: its head says it, and so does who writes it
};

/// The files of one output; the first is the one that standard output gets.
using Files = std::vector<File>;

/// Every file says in one of its first lines that envgen made it, and the SHA-256 of the rest of the file, so that an edit by
/// hand can be told without a record of what was written. A template holds the place as `{{{mark}}}`.
inline constexpr std::string_view mark_begin = "Made by envgen; hand edits are kept unless --force is used. sha256:";

/// The place for the sum, which `seal` fills in.
std::string unsealed_mark();

/// Puts the sum into the text's mark. Without a mark the text stays as it is.
std::string seal(std::string text);

/// The text as one of another project file than the envgen.json beside it: its mark names that as well (`gpu.json`,
/// `../train/envgen.json`), so that two projects do not overwrite each other's files in one folder.
std::string sealed_for(std::string text, std::string_view project);

/// That name; empty: the text was made from the envgen.json beside it, or from no project.
std::string_view project_of(std::string_view text);

/// What the mark of a text says: there is none, the text is as it was written, or somebody changed it.
enum class State { unmarked, untouched, edited };
State state_of(std::string_view text);

}  // namespace envgen::files
