// How fast the work folder's storage is: in one go, and 4 KiB at random places.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "failure.hpp"
#include "generator.hpp"
#include "nameless_file.hpp"
#include "session.hpp"
#include "speed.hpp"
#include "tests/tests.hpp"

namespace envgen::bench::tests {
namespace {

constexpr std::size_t chunk_bytes = 1U << 20;
constexpr std::size_t random_bytes = 4096;
constexpr double random_seconds = 2;
constexpr unsigned file_seed = 20'269;
constexpr unsigned places_seed = 20'270;

double since(std::chrono::steady_clock::time_point start) {
  return std::max(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1e-9);
}

/// Memory at an address that O_DIRECT takes.
struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<unsigned, Free>;
Buffer aligned_buffer() { return Buffer(static_cast<unsigned*>(std::aligned_alloc(random_bytes, chunk_bytes))); }

/// The open file and how it is used.
class WorkFile {
 public:
  WorkFile(std::string folder, std::size_t bytes)
      : folder_(std::move(folder)), bytes_(bytes), buffer_(aligned_buffer()), descriptor_(nameless_file(folder_)) {
    const int flags = ::fcntl(descriptor_, F_GETFL);
    direct_ = ::fcntl(descriptor_, F_SETFL, flags | O_DIRECT) == 0;  // tmpfs of older kernels has none
  }
  ~WorkFile() { ::close(descriptor_); }
  WorkFile(const WorkFile&) = delete;
  WorkFile& operator=(const WorkFile&) = delete;

  bool direct() const { return direct_; }

  /// Bytes per second, to the storage itself.
  double write_all() {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t offset = 0; offset < bytes_; offset += chunk_bytes) {
      const auto first = offset / sizeof(unsigned);
      for (std::size_t i = 0; i < chunk_bytes / sizeof(unsigned); ++i) buffer_.get()[i] = generated_word(file_seed, first + i);
      transfer(offset, chunk_bytes, true);
    }
    if (::fdatasync(descriptor_) != 0) throw TestFailed(system_failure("", "fdatasync", folder_, errno));
    return static_cast<double>(bytes_) / since(start);
  }

  /// Bytes per second; what was read must be what was written.
  double read_all() {
    forget();
    double seconds = 0;
    unsigned long long digest = 0;
    for (std::size_t offset = 0; offset < bytes_; offset += chunk_bytes) {
      const auto start = std::chrono::steady_clock::now();
      transfer(offset, chunk_bytes, false);
      seconds += since(start);
      const auto first = offset / sizeof(unsigned);
      for (std::size_t i = 0; i < chunk_bytes / sizeof(unsigned); ++i) digest += digest_part(buffer_.get()[i], first + i);
    }
    require_digest(expected_digest(file_seed, bytes_ / sizeof(unsigned)), digest, folder_);
    return static_cast<double>(bytes_) / seconds;
  }

  /// Operations per second of 4 KiB each, one at a time.
  double random_places(bool write) {
    forget();
    const auto start = std::chrono::steady_clock::now();
    const auto places = bytes_ / random_bytes;
    std::size_t count = 0;
    while (since(start) < random_seconds && count < places) {
      transfer(generated_word(places_seed, count) % places * random_bytes, random_bytes, write);
      if (write && !direct_ && ::fdatasync(descriptor_) != 0) throw TestFailed(system_failure("", "fdatasync", folder_, errno));
      ++count;
    }
    return static_cast<double>(count) / since(start);
  }

 private:
  /// Drops what the page cache holds of the file, as far as the kernel does so.
  void forget() const { ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED); }

  void transfer(std::size_t offset, std::size_t bytes, bool write) {
    const auto place = static_cast<off_t>(offset);
    const auto count =
        write ? ::pwrite(descriptor_, buffer_.get(), bytes, place) : ::pread(descriptor_, buffer_.get(), bytes, place);
    if (count == static_cast<ssize_t>(bytes)) return;
    throw TestFailed(system_failure("", write ? "pwrite" : "pread", folder_, count < 0 ? errno : EIO));
  }

  std::string folder_;
  std::size_t bytes_;
  Buffer buffer_;
  int descriptor_;
  bool direct_ = false;
};

}  // namespace

std::vector<Row> storage(const Context& context) {
  const auto bytes = context.sizes.storage_bytes;
  struct statvfs space {};
  const auto& folder = context.options.work_folder;
  if (folder.empty()) throw TestSkipped("no folder was given (--work)");
  if (::statvfs(folder.c_str(), &space) != 0) throw TestFailed(system_failure("", "statvfs", folder, errno));
  const auto free = static_cast<unsigned long long>(space.f_bavail) * space.f_frsize;
  if (free < 2 * bytes) {
    throw TestSkipped("the folder " + folder + " has " + std::to_string(free >> 20) + " MiB free, " +
                      std::to_string(2 * bytes >> 20) + " required");
  }
  if (::access(folder.c_str(), W_OK) != 0) throw TestSkipped("the folder " + folder + " is not writable");
  WorkFile file(folder, bytes);
  const double written = file.write_all();
  const double read = file.read_all();
  const double random_reads = file.random_places(false);
  const double random_writes = file.random_places(true);
  Row row;
  row.status = Status::pass;
  row.message = "write " + rate_text(written, "B/s") + ", read " + rate_text(read, "B/s") +
                ", random 4 KiB: " + std::to_string(static_cast<long>(random_reads)) + " reads and " +
                std::to_string(static_cast<long>(random_writes)) + " writes per second" +
                (file.direct() ? "" : " (no O_DIRECT: the page cache may have helped)");
  row.evidence = {{"folder", folder},
                  {"bytes", bytes},
                  {"direct", file.direct()},
                  {"write_bytes_per_second", written},
                  {"read_bytes_per_second", read},
                  {"random_reads_per_second", random_reads},
                  {"random_writes_per_second", random_writes}};
  return {row};
}

}  // namespace envgen::bench::tests
