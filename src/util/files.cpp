#include "util/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "util/descriptor.hpp"
#include "util/interrupt.hpp"
#include "util/temporary_file.hpp"

namespace envgen::util {
namespace {

std::string reason() { return std::strerror(errno); }

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

tl::unexpected<Error> cannot_write(const std::filesystem::path& path) {
  return fail(ErrorCode::bad_input, fmt::format("cannot write the file ({})", reason()), path.string());
}

/// Whoever may read the file may run it.
::mode_t runnable(::mode_t mode) { return mode | (mode & 0444U) >> 2U; }

struct Target {
  std::filesystem::path real;    ///< what a link points to is replaced, and the link stays
  std::optional<::mode_t> mode;  ///< none: there is no file yet
};

Expected<Target> target_of(const std::filesystem::path& path) {
  // A rename would replace /dev/null itself, or a folder's pipe, by a file.
  struct ::stat there {};
  const bool replaces = ::stat(path.c_str(), &there) == 0;
  struct ::stat link {};
  if (!replaces && ::lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode))
    return fail(ErrorCode::bad_input, "a dangling link, which would be replaced by a file", path.string());
  if (!replaces) return Target{path, std::nullopt};
  if (!S_ISREG(there.st_mode)) return fail(ErrorCode::bad_input, "not a regular file; not replaced", path.string());
  std::error_code ignored;
  constexpr ::mode_t permissions = 07777;
  return Target{std::filesystem::canonical(path, ignored), there.st_mode & permissions};
}

/// A file that is whole, beside the place that it is to take.
struct Written {
  std::filesystem::path place;
  TemporaryFile file;
};

Expected<Written> write_beside(const std::filesystem::path& path, std::string_view bytes, FileMode mode) {
  const auto target = target_of(path);
  if (!target) return tl::unexpected(target.error());
  const auto folder = target->real.parent_path();
  TemporaryFile::remove_leftovers(folder);
  const bool runs = mode == FileMode::executable;
  const bool keeps_mode = target->mode && mode != FileMode::for_its_owner;
  const ::mode_t for_new = runs ? 0777 : 0666;
  // What replaces a file is nobody else's to read before it has that file's mode.
  auto file = TemporaryFile::make(folder, target->mode || mode == FileMode::for_its_owner ? 0600 : for_new);
  if (!file) return cannot_write(path);
  const bool written = write_all(file->descriptor(), bytes) &&
                       (!keeps_mode || ::fchmod(file->descriptor(), runs ? runnable(*target->mode) : *target->mode) == 0) &&
                       ::fsync(file->descriptor()) == 0;
  if (!written) return cannot_write(path);
  return Written{target->real, std::move(*file)};
}

}  // namespace

Expected<std::string> read_file(const std::filesystem::path& path, std::size_t largest) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return fail(ErrorCode::bad_input, fmt::format("cannot open the file ({})", reason()), path.string());
  std::string bytes;
  std::array<char, std::size_t{1} << 16> chunk;
  for (;;) {
    const auto got = ::read(file.get(), chunk.data(), chunk.size());
    if (got < 0) {
      if (errno == EINTR) continue;
      return fail(ErrorCode::bad_input, fmt::format("cannot read the file ({})", reason()), path.string());
    }
    bytes.append(chunk.data(), static_cast<std::size_t>(got));
    if (bytes.size() > largest)
      return fail(ErrorCode::bad_input, fmt::format("the file is larger than {} MiB", largest >> 20), path.string());
    if (got == 0) return bytes;
  }
}

Expected<void> check_writable(const std::filesystem::path& path) {
  const auto target = target_of(path);
  if (!target) return tl::unexpected(target.error());
  const auto folder = target->real.parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) return cannot_write(path);
  return {};
}

Expected<void> write_file(const std::filesystem::path& path, std::string_view bytes, FileMode mode) {
  const InterruptScope scope;
  auto written = write_beside(path, bytes, mode);
  if (!written) return tl::unexpected(written.error());
  if (!written->file.becomes(written->place)) return cannot_write(path);
  if (interrupted()) return fail_interrupted("interrupted after this file was written", path.string());
  return {};
}

Expected<void> write_files(std::span<const NewFile> files) {
  const InterruptScope scope;
  std::vector<Written> all;
  for (const auto& file : files) {
    auto written = write_beside(file.path, file.bytes, FileMode::plain);
    if (!written) return tl::unexpected(written.error());
    all.push_back(std::move(*written));
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!all[i].file.becomes(all[i].place)) return cannot_write(files[i].path);
  }
  if (interrupted()) return fail_interrupted("interrupted after this file was written", files.back().path.string());
  return {};
}

}  // namespace envgen::util
