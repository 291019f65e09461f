#pragma once

#include <filesystem>
#include <optional>

#include <sys/types.h>

#include "util/descriptor.hpp"

namespace envgen::util {

/// A file beside the one whose place it takes; where it does not, it goes with this object. Its lock (flock) says that it is in
/// use, and half of its name is the digest of the other half, so no file of others is taken for one.
class TemporaryFile {
 public:
  /// An empty one in `folder` (empty: this one), of that mode less the umask. None: `errno` says why.
  static std::optional<TemporaryFile> make(const std::filesystem::path& folder, ::mode_t mode);
  /// Removes those that killed processes of this user left in `folder`, as far as it can.
  static void remove_leftovers(const std::filesystem::path& folder);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  int descriptor() const { return file_.get(); }
  /// Renames it to `target`. False: `errno` says why.
  bool becomes(const std::filesystem::path& target);

 private:
  TemporaryFile(std::filesystem::path path, Descriptor file);
  std::filesystem::path path_;  ///< empty: it has another's place, or is moved from
  Descriptor file_;
};

}  // namespace envgen::util
