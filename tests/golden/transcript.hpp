#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/error.hpp"
#include "util/process.hpp"

namespace envgen::golden {

/// What a person sees who types one command after another: below a line `$ envgen ARGUMENTS` stands what the command prints, then
/// its messages (`2> `), and how it ended where that is not with 0 (`[exit 2]`); an empty line ends it where another command
/// follows. A line of its output that could be taken for one of these begins with `1> `. Nothing is lost: two commands that print
/// other bytes look different here.
struct Step {
  std::string arguments;
  std::string shown;  ///< with the empty line before the next command
};

struct Transcript {
  std::string head;  ///< what stands before the first command: what it is for
  std::vector<Step> steps;
};

Transcript transcript_of(std::string_view text);
std::string text_of(const Transcript& transcript);

/// What a step shows of a command that printed this, without the empty line.
std::string shown(const util::ProcessResult& result);

/// The words of a line as bash reads them: apart by blanks, but for those in '...' and in $'...', which knows \n, \t, \' and \\.
/// What else bash would not leave as it stands is `bad_input`.
Expected<std::vector<std::string>> words_of(std::string_view arguments);

}  // namespace envgen::golden
