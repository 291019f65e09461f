#include "util/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "util/descriptor.hpp"

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

Expected<void> write_file(const std::filesystem::path& path, std::string_view bytes, FileMode mode) {
  // A rename would replace /dev/null itself, or a folder's pipe, by a file.
  struct ::stat target {};
  const bool replaces = ::stat(path.c_str(), &target) == 0;
  struct ::stat link {};
  if (!replaces && ::lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode))
    return fail(ErrorCode::bad_input, "a link to nothing, which would be replaced by a file", path.string());
  if (replaces && !S_ISREG(target.st_mode))
    return fail(ErrorCode::bad_input, "not a regular file, so it is not replaced", path.string());
  // What a link points to is replaced, and the link stays.
  std::error_code ignored;
  const auto real = replaces ? std::filesystem::canonical(path, ignored) : path;
  auto temporary = real.string() + ".XXXXXX";
  const auto cannot = [&] {
    return fail(ErrorCode::bad_input, fmt::format("cannot write the file ({})", reason()), path.string());
  };
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) return cannot();
  constexpr ::mode_t permissions = 07777;
  const ::mode_t execute = mode == FileMode::executable ? 0111 : 0;
  const ::mode_t usual = (replaces ? target.st_mode & permissions : 0644) | execute;
  const bool written =
      write_all(file.get(), bytes) && ::fchmod(file.get(), usual) == 0 && ::fsync(file.get()) == 0 && file.close();
  if (!written || ::rename(temporary.c_str(), real.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    errno = error;
    return cannot();
  }
  return {};
}

}  // namespace envgen::util
