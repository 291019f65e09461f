#include "validate/loader_environment.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

namespace envgen::validate {
namespace {

constexpr const char* library_path = "LD_LIBRARY_PATH";
constexpr std::array<const char*, 3> loader_variables{"LD_PRELOAD", "LD_AUDIT", library_path};

}  // namespace

LoaderEnvironment loader_environment(const std::map<std::string, std::string>& environment) {
  LoaderEnvironment found;
  for (const auto* name : loader_variables) {
    if (const auto entry = environment.find(name); entry != environment.end() && !entry->second.empty()) found.insert(*entry);
  }
  return found;
}

LoaderEnvironment loader_environment_here() {
  std::map<std::string, std::string> environment;
  for (const auto* name : loader_variables) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    if (value != nullptr) environment[name] = value;
  }
  return loader_environment(environment);
}

std::string library_path_of(const LoaderEnvironment& environment) {
  const auto entry = environment.find(library_path);
  return entry == environment.end() ? std::string() : entry->second;
}

std::vector<std::string> without_loader_environment(bool keep_library_path) {
  std::vector<std::string> changes;
  for (const std::string_view name : loader_variables) {
    if (!keep_library_path || name != library_path) changes.push_back(std::string(name) + "=");
  }
  return changes;
}

}  // namespace envgen::validate
