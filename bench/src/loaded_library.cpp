#include "loaded_library.hpp"

#include <climits>
#include <cstdlib>
#include <utility>

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace envgen::bench {
namespace {

std::string real_path(void* handle, const std::string& candidate) {
  ::link_map* map = nullptr;
  std::string path = candidate;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && map->l_name != nullptr && *map->l_name != '\0') {
    path = map->l_name;
  }
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  path = resolved;
  std::free(resolved);
  return path;
}

}  // namespace

std::string LoadedLibrary::why_not() const {
  for (const auto& place : tried) {
    if (!place.error.empty() && place.error.find("No such file or directory") == std::string::npos) return place.error;
  }
  return name + " was not found (" + std::to_string(tried.size()) + (tried.size() == 1 ? " place" : " places") + " tried)";
}

LoadedLibrary open_library(std::string name, const std::vector<std::string>& candidates) {
  LoadedLibrary library;
  library.name = std::move(name);
  for (const auto& candidate : candidates) {
    // Lazy, so that a function that nobody calls cannot refuse the whole library.
    library.handle = ::dlopen(candidate.c_str(), RTLD_LAZY | RTLD_LOCAL);
    const char* error = library.handle == nullptr ? ::dlerror() : nullptr;
    library.tried.push_back({candidate, library.handle != nullptr ? "" : error != nullptr ? error : "cannot open it"});
    if (library.handle == nullptr) continue;
    library.path = real_path(library.handle, candidate);
    library.is_double = ::dlsym(library.handle, "envgen_double") != nullptr;
    break;
  }
  return library;
}

Json to_json(const LoadedLibrary& library) {
  Json tried = Json::array();
  for (const auto& [path, error] : library.tried) {
    tried.push_back({{"path", path}, {"error", error.empty() ? Json() : Json(error)}});
  }
  return {{"name", library.name},
          {"path", library ? Json(library.path) : Json()},
          {"double", library.is_double},
          {"tried", std::move(tried)}};
}

}  // namespace envgen::bench
