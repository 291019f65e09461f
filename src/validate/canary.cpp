#include "validate/canary.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

namespace envgen::validate {
namespace {

constexpr int our_keys = 0x45560000;  // "EV", and 16 bits that are chosen
constexpr unsigned key_mask = 0xffff0000U;
constexpr std::string_view file_prefix = "envgen-validate-";
constexpr const char* shared_folder = "/dev/shm";

bool is_gone(long pid) { return pid <= 0 || (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH); }

/// Segments that nobody holds and whose maker is gone.
void remove_old_segments() {
  shm_info about{};
  const int last = ::shmctl(0, SHM_INFO, reinterpret_cast<shmid_ds*>(&about));
  for (int i = 0; i <= last; ++i) {
    shmid_ds segment{};
    const int id = ::shmctl(i, SHM_STAT, &segment);
    if (id < 0 || segment.shm_perm.uid != ::geteuid() || segment.shm_nattch > 0) continue;
    if ((static_cast<unsigned>(segment.shm_perm.__key) & key_mask) != static_cast<unsigned>(our_keys)) continue;
    if (is_gone(segment.shm_cpid)) ::shmctl(id, IPC_RMID, nullptr);
  }
}

void remove_old_files() {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(shared_folder, error), end; !error && entry != end; entry.increment(error)) {
    const auto name = entry->path().filename().string();
    if (!name.starts_with(file_prefix)) continue;
    const auto pid = std::strtol(name.c_str() + file_prefix.size(), nullptr, 10);
    std::error_code ignored;
    if (is_gone(pid)) std::filesystem::remove(entry->path(), ignored);
  }
}

}  // namespace

std::optional<unsigned long> ipc_namespace(const std::string& process) {
  std::array<char, 64> text{};
  const auto size = ::readlink(("/proc/" + process + "/ns/ipc").c_str(), text.data(), text.size() - 1);
  const char* digits = size > 0 ? std::strchr(text.data(), '[') : nullptr;
  if (digits == nullptr) return std::nullopt;
  return std::strtoul(digits + 1, nullptr, 10);
}

Canary::Canary() : inode_(ipc_namespace("self")), nonce_(made_nonce()) {
  remove_old_segments();
  remove_old_files();
  make_segment();
  make_file();
}

void Canary::make_segment() {
  std::random_device random;
  constexpr int tries = 16;
  constexpr unsigned readable_by_all = 0444;  // whoever the container's user is
  for (int i = 0; i < tries && segment_ < 0; ++i) {
    key_ = our_keys | static_cast<int>(random() & ~key_mask);
    segment_ = ::shmget(key_, nonce_.size(), static_cast<int>(IPC_CREAT | IPC_EXCL | readable_by_all | 0200U));
    if (segment_ < 0 && errno != EEXIST) return;
  }
  if (segment_ < 0) return;
  void* memory = ::shmat(segment_, nullptr, 0);
  if (memory == reinterpret_cast<void*>(-1)) {
    ::shmctl(segment_, IPC_RMID, nullptr);
    segment_ = -1;
    return;
  }
  memory_ = memory;
  std::memcpy(memory_, nonce_.data(), nonce_.size());
}

void Canary::make_file() {
  const auto name = fmt::format("{}{}-{}", file_prefix, ::getpid(), nonce_.substr(0, 8));
  constexpr unsigned readable_by_all = 0644;
  const auto path = fmt::format("{}/{}", shared_folder, name);
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readable_by_all);
  if (descriptor < 0) return;
  file_ = name;
  ::fchmod(descriptor, readable_by_all);
  const auto wrote = ::write(descriptor, nonce_.data(), nonce_.size());
  ::close(descriptor);
  if (wrote == static_cast<ssize_t>(nonce_.size())) return;
  ::unlink(path.c_str());
  file_.clear();
}

Canary::~Canary() {
  if (segment_ >= 0) ::shmctl(segment_, IPC_RMID, nullptr);
  if (memory_ != nullptr) ::shmdt(memory_);
  if (!file_.empty()) ::unlink(fmt::format("{}/{}", shared_folder, file_).c_str());
}

HeldIpc Canary::held() const {
  return inode_ ? held_ipc(*inode_, segment_ >= 0 ? std::optional<long long>(key_) : std::nullopt, file_, nonce_) : HeldIpc{};
}

std::string made_nonce() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

HeldIpc held_ipc(unsigned long inode, std::optional<long long> key, const std::string& file, const std::string& nonce) {
  HeldIpc held;
  auto& flags = held.bench_flags;
  flags.push_back(fmt::format("--ipc-host-inode={}", inode));
  if (key) flags.push_back(fmt::format("--ipc-sysv-key={}", *key));
  if (!file.empty()) flags.push_back(fmt::format("--ipc-posix={}", file));
  flags.push_back(fmt::format("--ipc-nonce={}", nonce.substr(0, nonce.size() / 2)));
  held.secret = nonce.substr(nonce.size() / 2);
  return held;
}

}  // namespace envgen::validate
