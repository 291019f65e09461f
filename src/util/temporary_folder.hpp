#pragma once

#include <filesystem>
#include <string_view>

#include "model/error.hpp"
#include "util/descriptor.hpp"

namespace envgen::util {

/// A folder of our own that goes when this does. Its lock (flock) says that it is in use.
class TemporaryFolder {
 public:
  /// `prefix` begins its name. Errors (internal): none can be made.
  static Expected<TemporaryFolder> make(std::string_view prefix);
  /// Removes those of that prefix that processes of this user left behind, which a SIGKILL ended, as far as it can.
  static void remove_leftovers(std::string_view prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path);
  std::filesystem::path path_;
  Descriptor lock_;
};

}  // namespace envgen::util
