#include "util/temporary_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace envgen::util {

namespace {

/// The folder's descriptor with its lock, which no program that is started inherits; none: it is no folder of ours, or in use.
Descriptor locked(const std::filesystem::path& path) {
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat about {};
  if (::fstat(folder.get(), &about) == 0 && about.st_uid == ::geteuid() && ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0)
    return folder;
  return {};
}

/// One that another process has just made may not have its lock yet.
bool just_made(int descriptor) {
  constexpr std::time_t a_minute = 60;
  struct stat about {};
  return ::fstat(descriptor, &about) != 0 || std::time(nullptr) - about.st_mtime < a_minute;
}

/// $TMPDIR, or /tmp where it is not set or empty.
std::filesystem::path temporary_place() {
  const char* place = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return place != nullptr && *place != 0 ? place : "/tmp";
}

}  // namespace

TemporaryFolder::TemporaryFolder(std::filesystem::path path) : path_(std::move(path)), lock_(locked(path_)) {}

Expected<TemporaryFolder> TemporaryFolder::make(std::string_view prefix) {
  auto path = (temporary_place() / fmt::format("{}-XXXXXX", prefix)).string();
  if (::mkdtemp(path.data()) == nullptr)
    return fail(ErrorCode::internal, "cannot create a temporary folder", temporary_place().string(),
                {"set TMPDIR to another folder"});
  return TemporaryFolder(std::move(path));
}

void TemporaryFolder::remove_leftovers(std::string_view prefix) {
  std::error_code ignored;
  const auto begins = fmt::format("{}-", prefix);
  for (const auto& entry : std::filesystem::directory_iterator(temporary_place(), ignored)) {
    if (!entry.path().filename().string().starts_with(begins)) continue;
    const auto folder = locked(entry.path());
    if (folder.get() >= 0 && !just_made(folder.get())) std::filesystem::remove_all(entry.path(), ignored);
  }
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace envgen::util
