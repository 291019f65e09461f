#include "util/file_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "util/descriptor.hpp"

namespace envgen::util {
namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(Descriptor file, std::uint64_t size, std::string name)
      : file_(std::move(file)), size_(size), name_(std::move(name)) {}

  std::uint64_t size() const override { return size_; }

  Expected<void> read(std::uint64_t offset, std::span<std::byte> into) override {
    if (offset > size_ || into.size() > size_ - offset) return fail(ErrorCode::bad_input, "the file is truncated", name_);
    while (!into.empty()) {
      const auto got = ::pread(file_.get(), into.data(), into.size(), static_cast<::off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return fail(ErrorCode::bad_input, fmt::format("cannot read the file ({})", std::strerror(errno)), name_);
      if (got == 0) return fail(ErrorCode::bad_input, "the file shrank while it was being read", name_);
      into = into.subspan(static_cast<std::size_t>(got));
      offset += static_cast<std::uint64_t>(got);
    }
    return {};
  }

 private:
  Descriptor file_;
  std::uint64_t size_;
  std::string name_;
};

}  // namespace

Expected<std::unique_ptr<ByteSource>> open_file(const std::filesystem::path& path) {
  // Not to wait for whoever writes into a pipe.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0)
    return fail(ErrorCode::bad_input, fmt::format("cannot open the file ({})", std::strerror(errno)), path.string());
  struct ::stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return fail(ErrorCode::bad_input, "not a regular file", path.string());
  return std::make_unique<FileSource>(std::move(file), static_cast<std::uint64_t>(status.st_size), path.string());
}

}  // namespace envgen::util
