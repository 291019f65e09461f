#include "util/base_folders.hpp"

#include <cstdlib>
#include <map>
#include <optional>

#include <gtest/gtest.h>

namespace envgen::util {
namespace {

/// `DATA CACHE` of a process whose environment has these; what it inherits is back afterwards.
std::string folders(const std::map<const char*, const char*>& variables) {
  std::map<const char*, std::optional<std::string>> before;
  for (const auto* name : {"HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) {
    const char* value = std::getenv(name);
    before[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
    ::unsetenv(name);
  }
  for (const auto& [name, value] : variables) ::setenv(name, value, 1);
  auto text = user_data_folder() + " " + user_cache_folder();
  for (const auto& [name, value] : before) value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
  return text;
}

TEST(BaseFolders, AreThoseOfXdg) {
  EXPECT_EQ(folders({{"HOME", "/home/ada"}}), "/home/ada/.local/share /home/ada/.cache");
  EXPECT_EQ(folders({{"HOME", "/home/ada"}, {"XDG_DATA_HOME", "/data"}, {"XDG_CACHE_HOME", "/fast"}}), "/data /fast");
  EXPECT_EQ(folders({{"HOME", "/home/ada"}, {"XDG_DATA_HOME", "data"}, {"XDG_CACHE_HOME", ""}}),
            "/home/ada/.local/share /home/ada/.cache");
  EXPECT_EQ(folders({{"HOME", "ada"}}), " ");
  EXPECT_EQ(folders({}), " ");
}

}  // namespace
}  // namespace envgen::util
