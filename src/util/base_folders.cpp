#include "util/base_folders.hpp"

#include <cstdlib>
#include <string_view>

namespace envgen::util {
namespace {

std::string_view absolute_path_in(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  const std::string_view path = value == nullptr ? std::string_view() : value;
  return path.starts_with('/') ? path : std::string_view();
}

std::string base_folder(const char* variable, const char* below_home) {
  if (const auto named = absolute_path_in(variable); !named.empty()) return std::string(named);
  auto home = std::string(absolute_path_in("HOME"));
  return home.empty() ? home : home + below_home;
}

}  // namespace

std::string user_data_folder() { return base_folder("XDG_DATA_HOME", "/.local/share"); }
std::string user_cache_folder() { return base_folder("XDG_CACHE_HOME", "/.cache"); }

}  // namespace envgen::util
