#include "hold_ipc.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include "ipc_facts.hpp"
#include "isolation.hpp"

namespace envgen::bench {
namespace {

constexpr unsigned canary_keys = 0x45570000;  // those of envgen itself (validate/canary.cpp) are other ones, which it clears away
constexpr unsigned canary_key_mask = 0xffff0000;
constexpr const char* canary_folder = "/dev/shm";
constexpr const char* canary_prefix = "envgen-canary-";

std::string random_digits() {
  std::random_device random;
  std::string text;
  for (int i = 0; i < 4; ++i) {
    char part[9];
    std::snprintf(part, sizeof part, "%08x", random());
    text += part;
  }
  return text;
}

/// Segments that nobody holds, and files whose lock nobody has.
void remove_left_canaries() {
  shm_info about{};
  const int last = ::shmctl(0, SHM_INFO, reinterpret_cast<shmid_ds*>(&about));
  for (int i = 0; i <= last; ++i) {
    shmid_ds segment{};
    const int id = ::shmctl(i, SHM_STAT, &segment);
    if (id < 0 || segment.shm_perm.uid != ::geteuid() || segment.shm_nattch > 0) continue;
    if ((static_cast<unsigned>(segment.shm_perm.__key) & canary_key_mask) == canary_keys) ::shmctl(id, IPC_RMID, nullptr);
  }
  std::error_code error;
  for (std::filesystem::directory_iterator entry(canary_folder, error), end; !error && entry != end; entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(canary_prefix)) continue;
    const int descriptor = ::open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(entry->path().c_str());
    ::close(descriptor);
  }
}

/// Both, until this goes.
class HeldIpc {
 public:
  explicit HeldIpc(const std::string& nonce) : name_(canary_prefix + nonce.substr(0, 8)), error_number_(make(nonce)) {}
  ~HeldIpc() {
    if (segment_ >= 0) ::shmctl(segment_, IPC_RMID, nullptr);
    if (file_ >= 0) ::unlink(path().c_str());
  }
  HeldIpc(const HeldIpc&) = delete;
  HeldIpc& operator=(const HeldIpc&) = delete;

  /// Why there are not both; 0: there are.
  int error_number() const { return error_number_; }
  int key() const { return key_; }
  const std::string& name() const { return name_; }

 private:
  int make(const std::string& nonce) {
    if (const int number = make_segment(nonce); number != 0) return number;
    if (const int number = make_file(); number != 0) return number;
    const auto count = ::write(file_, nonce.data(), nonce.size());
    return count == static_cast<ssize_t>(nonce.size()) ? 0 : count < 0 ? errno : EIO;
  }
  /// Another holder that begins now may take what is made here for left: what it removed is made anew.
  int make_segment(const std::string& nonce) {
    std::random_device random;
    while (true) {
      key_ = static_cast<int>(canary_keys | (random() & ~canary_key_mask));
      segment_ = ::shmget(key_, nonce.size(), IPC_CREAT | IPC_EXCL | 0644);  // read by whoever the other container's user is
      if (segment_ < 0 && errno == EEXIST) continue;                         // there are more keys than the kernel has segments
      if (segment_ < 0) return errno;
      void* const memory = ::shmat(segment_, nullptr, 0);
      if (memory != reinterpret_cast<void*>(-1)) {
        std::memcpy(memory, nonce.data(), nonce.size());
        return 0;
      }
      const int number = errno;
      if (shmid_ds about{}; ::shmctl(segment_, IPC_STAT, &about) == 0) return number;
    }
  }
  int make_file() {
    while (true) {
      file_ = ::open(path().c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
      if (file_ < 0) return errno;
      ::flock(file_, LOCK_EX);  // whoever removes it has the lock as it does
      struct stat about {};
      if (::fstat(file_, &about) != 0) return errno;
      if (about.st_nlink > 0) {
        ::fchmod(file_, 0644);
        return 0;
      }
      ::close(file_);
    }
  }
  std::string path() const { return std::string(canary_folder) + "/" + name_; }

  std::string name_;
  int key_ = 0;
  int segment_ = -1;
  int file_ = -1;
  int error_number_;  // last: whoever finds it out makes the others
};

}  // namespace

int hold_ipc(double seconds) {
  catch_interrupts();
  remove_left_canaries();
  const auto nonce = random_digits();
  const HeldIpc held(nonce);
  const auto facts = ipc_facts({});
  if (held.error_number() != 0 || !facts.inode) {
    const char* why = facts.inode ? std::strerror(held.error_number()) : "cannot read /proc/self/ns/ipc";
    std::fprintf(stderr, "envgen-bench: cannot create the segment and the file to hold: %s\n", why);
    return 1;
  }
  const Json line{{"inode", *facts.inode}, {"key", held.key()}, {"name", held.name()}, {"nonce", nonce}};
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!interrupted() && std::chrono::steady_clock::now() < until) ::usleep(20'000);
  return 0;
}

}  // namespace envgen::bench
