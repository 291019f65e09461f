#pragma once

#include <vector>

#include "diagnosis/recognise.hpp"

namespace envgen::diagnosis {

/// What a log says of one failure, before it is weighed against the others.
struct Sign {
  Finding finding;
  bool sure = false;          ///< else a general wording alone
  bool hinted = false;        ///< another line says that a general wording means this one
  bool contradicted = false;  ///< another line says that a general wording does not mean this one
  bool needs_hint = false;    ///< no wording shows it that does without such a line
  std::size_t first = 0;      ///< which of all lines show it; one line of JSON may hold several
  std::size_t last = 0;       ///< more than one where the wording was wrapped
};

/// See Recogniser::finish.
std::vector<Finding> ranked(std::vector<Sign> signs);

}  // namespace envgen::diagnosis
