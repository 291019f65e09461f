#include "util/temporary_folder.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace envgen::util {

TemporaryFolder::TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

Expected<TemporaryFolder> TemporaryFolder::make(std::string_view prefix) {
  std::error_code error;
  auto path = (std::filesystem::temp_directory_path(error) / fmt::format("{}-XXXXXX", prefix)).string();
  if (error || ::mkdtemp(path.data()) == nullptr)
    return fail(ErrorCode::internal, "cannot make a temporary folder", path, {"TMPDIR names another place"});
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace envgen::util
