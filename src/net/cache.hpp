#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "net/client.hpp"

namespace envgen::net {

/// A reply as it was kept, and what tells a server which one it is.
struct Kept {
  Reply reply;
  std::string etag;
  std::string last_modified;
};

/// Replies on disk, a file each: a line of JSON with the length and the SHA-256 of the body, then the body. A file that is
/// damaged is as good as none, and where nothing can be written nothing is kept: a cache is no reason to fail.
class Cache {
 public:
  /// No folder: nothing is kept.
  explicit Cache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  std::optional<Kept> find(const Request& request) const;
  void keep(const Request& request, const Kept& kept) const;

 private:
  std::filesystem::path path_of(const Request& request) const;
  std::optional<std::filesystem::path> folder_;
};

/// $XDG_CACHE_HOME/envgen/http, or ~/.cache/envgen/http; none where neither is an absolute path (the specification ignores
/// others).
std::optional<std::filesystem::path> cache_folder();

}  // namespace envgen::net
