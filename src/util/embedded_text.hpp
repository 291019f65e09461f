#pragma once

#include <string_view>

namespace envgen::util {

/// A file that is built in: its name without a folder, and what it holds (cmake/EmbedTexts.cmake).
struct EmbeddedText {
  std::string_view name;
  std::string_view text;
};

}  // namespace envgen::util
