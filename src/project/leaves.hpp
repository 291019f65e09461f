#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/environment.hpp"

namespace envgen::project {

/// One member of an environment as text.
struct Leaf {
  std::string path;                               ///< `cudnn.version`; those of the framework begin with `build`, whichever it is
  std::optional<std::string> text;                ///< none: there is none
  std::optional<std::vector<std::string>> items;  ///< of a list, one text each
  /// A list as one text.
  std::optional<std::string> one_text() const;
};

/// Every member, in the order of Environment::members, also those of what is not there: the same paths for every environment.
std::vector<Leaf> leaves_of(const Environment& environment);

/// The name of a member as words: `image layout`, `image (devel)`.
std::string in_words(std::string_view path);

}  // namespace envgen::project
