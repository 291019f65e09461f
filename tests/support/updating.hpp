#pragma once

#include <cstdlib>
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

}  // namespace envgen::test
