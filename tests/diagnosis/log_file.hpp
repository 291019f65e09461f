#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/error.hpp"

namespace envgen::test {

/// A log of a file of several, which stand there as `head *` shows them, an empty line apart:
///
///     ==> pip <==
///     # recorded: an issue of pytorch
///     ERROR: what pip said
struct Log {
  std::string id;      ///< of the diagnosis that it must be; of a quiet one: none
  std::string name;    ///< of all in its file another
  std::string source;  ///< the line that says where it is from; no part of the log
  std::string text;    ///< byte for byte, to the end of its last line

  std::string where() const { return id.empty() ? name : id + "/" + name; }
};

/// The logs of such a text, as they stand there. `bad_input` where it is not sure where a log begins or ends.
Expected<std::vector<Log>> logs_of(std::string_view text, const std::string& id);

}  // namespace envgen::test
