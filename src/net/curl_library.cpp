#include "net/curl_library.hpp"

#include <map>
#include <memory>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

namespace envgen::net {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr && missing.empty()) missing = name;
  return function != nullptr;
}

/// The name of the first function that the library lacks; empty: it has them all.
std::string fill(void* library, CurlLibrary& curl) {
  std::string missing;
  find(library, "curl_global_init", curl.global_init, missing);
  find(library, "curl_easy_init", curl.easy_init, missing);
  find(library, "curl_easy_cleanup", curl.easy_cleanup, missing);
  find(library, "curl_easy_setopt", curl.easy_setopt, missing);
  find(library, "curl_easy_getinfo", curl.easy_getinfo, missing);
  find(library, "curl_easy_strerror", curl.easy_strerror, missing);
  find(library, "curl_slist_append", curl.slist_append, missing);
  find(library, "curl_slist_free_all", curl.slist_free_all, missing);
  find(library, "curl_multi_init", curl.multi_init, missing);
  find(library, "curl_multi_cleanup", curl.multi_cleanup, missing);
  find(library, "curl_multi_setopt", curl.multi_setopt, missing);
  find(library, "curl_multi_add_handle", curl.multi_add_handle, missing);
  find(library, "curl_multi_remove_handle", curl.multi_remove_handle, missing);
  find(library, "curl_multi_perform", curl.multi_perform, missing);
  find(library, "curl_multi_info_read", curl.multi_info_read, missing);
  find(library, "curl_multi_wait", curl.multi_wait, missing);
  return missing;
}

tl::unexpected<Error> unusable(std::string message, const std::string& name) {
  return fail(ErrorCode::missing, std::move(message), name,
              {"Debian, Ubuntu: apt-get install libcurl4", "Fedora, RHEL: dnf install libcurl", "Alpine: apk add libcurl"});
}

}  // namespace

Expected<const CurlLibrary*> curl_library(const std::string& name) {
  static std::map<std::string, std::unique_ptr<CurlLibrary>> opened;
  if (const auto known = opened.find(name); known != opened.end()) return known->second.get();
  const auto names =
      name.empty() ? std::vector<std::string>{"libcurl.so.4", "libcurl-gnutls.so.4"} : std::vector<std::string>{name};
  void* library = nullptr;
  for (const auto& each : names) {
    if (library == nullptr) library = ::dlopen(each.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) return unusable("libcurl, which network access needs, is not installed", names.front());
  auto curl = std::make_unique<CurlLibrary>();
  if (const auto missing = fill(library, *curl); !missing.empty())
    return unusable(fmt::format("this libcurl has no function {}", missing), names.front());
  if (curl->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return unusable("cannot initialise libcurl", names.front());
  return (opened[name] = std::move(curl)).get();
}

}  // namespace envgen::net
