#include "util/temporary_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "util/sha256.hpp"

namespace envgen::util {
namespace {

constexpr std::string_view file_begins = ".envgen-tmp-";
constexpr std::size_t half = 16;  // hexadecimal digits

std::string digest_of(std::string_view digits) {
  Sha256 digest;
  digest.add("a temporary file of envgen");
  digest.add(digits);
  return digest.hex().substr(0, half);
}

/// Empty: `errno` says why.
std::string new_name() {
  std::uint64_t number = 0;
  // glibc has a function for it since 2.25 only; the portable build is for 2.17.
  if (::syscall(SYS_getrandom, &number, sizeof number, 0) != static_cast<long>(sizeof number)) return {};
  const auto digits = fmt::format("{:016x}", number);
  return fmt::format("{}{}{}", file_begins, digits, digest_of(digits));
}

bool is_our_name(std::string_view name) {
  if (name.size() != file_begins.size() + 2 * half || !name.starts_with(file_begins)) return false;
  name.remove_prefix(file_begins.size());
  return name.substr(half) == digest_of(name.substr(0, half));
}

/// A regular file of ours that no process holds. Its lock is taken.
bool is_left(int file) {
  struct ::stat about {};
  return ::fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == ::geteuid() &&
         ::flock(file, LOCK_EX | LOCK_NB) == 0;
}

/// False where `remove_leftovers` of another process came between the making of the file and its lock. A file system without
/// locks (then nothing is ever removed there) is no reason to write nothing.
bool is_kept(int file) {
  if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct ::stat about {};
  return ::fstat(file, &about) == 0 && about.st_nlink > 0;
}

}  // namespace

TemporaryFile::TemporaryFile(std::filesystem::path path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), file_(std::move(other.file_)) {}

std::optional<TemporaryFile> TemporaryFile::make(const std::filesystem::path& folder, ::mode_t mode) {
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    const auto name = new_name();
    if (name.empty()) return std::nullopt;
    auto path = folder / name;
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (file.get() < 0) return std::nullopt;
    if (is_kept(file.get())) return TemporaryFile(std::move(path), std::move(file));
    ::unlink(path.c_str());
  }
  errno = EAGAIN;
  return std::nullopt;
}

void TemporaryFile::remove_leftovers(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, ignored);
  for (; !ignored && entry != std::filesystem::directory_iterator(); entry.increment(ignored)) {
    const auto& path = entry->path();
    if (!is_our_name(path.filename().string())) continue;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.get() >= 0 && is_left(file.get())) ::unlink(path.c_str());
  }
}

bool TemporaryFile::becomes(const std::filesystem::path& target) {
  if (::rename(path_.c_str(), target.c_str()) != 0) return false;
  path_.clear();
  return true;
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

}  // namespace envgen::util
