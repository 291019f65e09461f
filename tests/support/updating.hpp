#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace envgen::test {

/// Whether ENVGEN_UPDATE_GOLDEN=1 asks a test to write its golden file instead of comparing it. Under CI that is a failure, and
/// the file is compared: a person must have read the change.
inline bool updating_goldens() {
  const char* update = std::getenv("ENVGEN_UPDATE_GOLDEN");
  if (update == nullptr || std::string_view(update) != "1") return false;
  if (std::getenv("CI") == nullptr) return true;
  ADD_FAILURE() << "goldens are not written under CI";
  return false;
}

inline std::string text_of_file(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// A published file that is made of what the program goes by: written where goldens are, else held to be current.
inline void expect_current(const std::string& file, const std::string& made) {
  if (updating_goldens()) std::ofstream(file, std::ios::binary) << made;
  EXPECT_EQ(text_of_file(file), made) << file;
}

}  // namespace envgen::test
