#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

/// What golden cases and sessions share: the tool, the files, and ENVGEN_UPDATE_GOLDEN=1, which writes what comes instead; never
/// under CI, where a change must have been read by a person.
namespace envgen::golden {

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// $ENVGEN_GOLDEN_TOOL, where it is another one than that of this build.
inline std::string tool() {
  const char* other = std::getenv("ENVGEN_GOLDEN_TOOL");
  return other != nullptr ? other : ENVGEN_BINARY;
}

inline bool updating() {
  const char* update = std::getenv("ENVGEN_UPDATE_GOLDEN");
  return update != nullptr && std::string_view(update) == "1";
}

inline void write(const std::filesystem::path& path, const std::string& text) {
  ASSERT_EQ(std::getenv("CI"), nullptr) << "goldens are not written under CI";
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace envgen::golden
