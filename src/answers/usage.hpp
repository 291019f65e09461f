#pragma once

#include <string>
#include <vector>

namespace envgen::answers {

/// What a person does with an answer. The commands are made elsewhere (api/usage.hpp): an answer only shows them.
struct Usage {
  std::vector<std::string> install;  ///< the commands that install it, as lines of a shell
  std::string image;                 ///< that a Dockerfile starts from; empty: none can be made
  std::string next;                  ///< the command that makes files of the environment
  std::string nearest;               ///< ... that asks for the first of the nearest environments; empty: there is none
  std::string details;               ///< the command that shows reasons and sources
};

/// What a text shows beyond the summary.
struct Detail {
  bool reasons = false;        ///< why each value, and what each requested value ruled out (--explain)
  bool sources = false;        ///< where the facts were read (--sources)
  bool brief = false;          ///< of the reasons what fits the screen: those of `why`, which has --all
  bool has_flags = true;       ///< the command that is asked has these two flags itself
  std::size_t rows_above = 0;  ///< of the screen, that messages took
};

}  // namespace envgen::answers
