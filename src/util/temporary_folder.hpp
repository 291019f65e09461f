#pragma once

#include <filesystem>
#include <string_view>

#include "model/error.hpp"

namespace envgen::util {

/// A folder of our own that goes when this does.
class TemporaryFolder {
 public:
  /// `prefix` begins its name. Errors (internal): none can be made.
  static Expected<TemporaryFolder> make(std::string_view prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path);
  std::filesystem::path path_;
};

}  // namespace envgen::util
