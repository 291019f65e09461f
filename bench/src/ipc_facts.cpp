#include "ipc_facts.hpp"

#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace envgen::bench {
namespace {

/// The number in `ipc:[4026531839]`.
std::optional<unsigned long> namespace_inode() {
  std::array<char, 64> text{};
  const auto size = ::readlink("/proc/self/ns/ipc", text.data(), text.size() - 1);
  if (size <= 0) return std::nullopt;
  const char* digits = std::strchr(text.data(), '[');
  return digits != nullptr ? std::optional<unsigned long>(std::strtoul(digits + 1, nullptr, 10)) : std::nullopt;
}

constexpr std::size_t longest_canary = 128;

/// What stands after the nonce; none: it does not begin with it.
std::optional<std::string> after_nonce(std::string_view text, const std::string& nonce) {
  if (!text.starts_with(nonce)) return std::nullopt;
  text.remove_prefix(nonce.size());
  return std::string(text.substr(0, text.find_first_not_of("0123456789abcdef")));
}

std::optional<std::string> sysv_rest(int key, const std::string& nonce) {
  const int id = ::shmget(key, 0, 0);
  if (id < 0) return std::nullopt;
  shmid_ds about{};
  if (::shmctl(id, IPC_STAT, &about) != 0) return std::nullopt;
  const void* memory = ::shmat(id, nullptr, SHM_RDONLY);
  if (memory == reinterpret_cast<void*>(-1)) return std::nullopt;
  auto rest = after_nonce({static_cast<const char*>(memory), std::min<std::size_t>(about.shm_segsz, longest_canary)}, nonce);
  ::shmdt(memory);
  return rest;
}

std::optional<std::string> posix_rest(const std::string& name, const std::string& nonce) {
  if (name.find('/') != name.npos) return std::nullopt;
  const int descriptor = ::open(("/dev/shm/" + name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return std::nullopt;
  std::array<char, longest_canary> text{};
  const auto size = ::read(descriptor, text.data(), text.size());
  ::close(descriptor);
  return after_nonce({text.data(), size > 0 ? static_cast<std::size_t>(size) : 0}, nonce);
}

bool in_gvisor() {
  constexpr int read_all = 3;  // SYSLOG_ACTION_READ_ALL of syslog(2), which has no name in a header
  std::array<char, 256> log{};
  ::klogctl(read_all, log.data(), static_cast<int>(log.size()) - 1);
  utsname kernel{};
  ::uname(&kernel);
  return is_gvisor(kernel.release, log.data());
}

}  // namespace

bool is_gvisor(const std::string& kernel_release, const std::string& kernel_log) {
  return kernel_release.ends_with("gvisor") || kernel_log.find("Starting gVisor") != kernel_log.npos;
}

IpcFacts ipc_facts(const IpcCanary& canary) {
  IpcFacts facts;
  facts.inode = namespace_inode();
  facts.sandboxed = in_gvisor();
  struct stat shm {};
  struct stat dev {};
  if (::stat("/dev/shm", &shm) == 0 && S_ISDIR(shm.st_mode)) {
    facts.shm_device = shm.st_dev;
    facts.shm_is_mount = ::stat("/dev", &dev) == 0 && dev.st_dev != shm.st_dev;
    struct statvfs space {};
    if (::statvfs("/dev/shm", &space) == 0) {
      facts.shm_bytes = static_cast<unsigned long long>(space.f_blocks) * space.f_frsize;
      facts.shm_free_bytes = static_cast<unsigned long long>(space.f_bavail) * space.f_frsize;
    }
  }
  if (!canary.nonce.empty()) {
    if (canary.sysv_key) {
      facts.sysv_rest = sysv_rest(*canary.sysv_key, canary.nonce);
      facts.sysv_read = facts.sysv_rest.has_value();
    }
    if (!canary.posix_name.empty()) {
      facts.posix_rest = posix_rest(canary.posix_name, canary.nonce);
      facts.posix_read = facts.posix_rest.has_value();
    }
  }
  return facts;
}

IpcMode ipc_mode(const IpcFacts& facts, const IpcCanary& canary) {
  if (!facts.inode) return {"unknown", "cannot read /proc/self/ns/ipc"};
  if (facts.sandboxed) return {"unknown", "gVisor reports invented namespaces"};
  const auto inode = std::to_string(*facts.inode);
  if (canary.host_inode) {
    const bool same = *facts.inode == *canary.host_inode;
    if (same && facts.sysv_read == true) return {"host", "the host's namespace " + inode + ", and its SysV segment was read"};
    if (same && !facts.sysv_read)
      return {"unknown", "the host's namespace " + inode + ", but no SysV segment was provided to prove it"};
    if (same) return {"unknown", "the namespace reads " + inode + " like the host's, but the host's SysV segment is missing"};
    if (facts.sysv_read == true) return {"unknown", "the host's SysV segment was read in a namespace that is not the host's"};
  } else if (*facts.inode == initial_ipc_inode) {
    return {"host", "the initial namespace " + inode + "; not compared with the host"};
  }
  if (!facts.shm_device) return {"none", "a separate namespace " + inode + ", without /dev/shm"};
  if (facts.posix_read == true) return {"private-host-shm", "a separate namespace " + inode + ", with the host's /dev/shm"};
  return {"private", "the namespace " + inode + " is not the host's"};
}

Json to_json(const IpcFacts& facts) {
  return {{"inode", json_or_null(facts.inode)},
          {"sandboxed", facts.sandboxed},
          {"shm_device", json_or_null(facts.shm_device)},
          {"shm_is_mount", facts.shm_is_mount},
          {"shm_bytes", facts.shm_bytes},
          {"shm_free_bytes", facts.shm_free_bytes},
          {"sysv_nonce_read", json_or_null(facts.sysv_read)},
          {"posix_nonce_read", json_or_null(facts.posix_read)},
          {"sysv_rest", json_or_null(facts.sysv_rest)},
          {"posix_rest", json_or_null(facts.posix_rest)}};
}

}  // namespace envgen::bench
