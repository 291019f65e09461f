#pragma once

#include <optional>
#include <string>

#include "json.hpp"
#include "options.hpp"

namespace envgen::bench {

/// What tells the ways of sharing IPC apart (facts/failures.md, "Telling IPC modes apart").
struct IpcFacts {
  std::optional<unsigned long> inode;       ///< of /proc/self/ns/ipc
  std::optional<unsigned long> shm_device;  ///< st_dev of /dev/shm; none: there is no such folder
  bool shm_is_mount = false;                ///< /dev/shm is a file system of its own
  unsigned long long shm_bytes = 0;
  unsigned long long shm_free_bytes = 0;
  std::optional<bool> sysv_read;   ///< the nonce was read from the SysV segment; none: no key was given
  bool sandboxed = false;          ///< the kernel is gVisor, which makes up what it says of namespaces
  std::optional<bool> posix_read;  ///< the nonce was read from the file in /dev/shm; none: no name was given
  /// The hexadecimal digits after the nonce, in both: whoever holds them can tell by these that they were really read.
  std::optional<std::string> sysv_rest;
  std::optional<std::string> posix_rest;
};

/// The inode of the initial IPC namespace: PROC_IPC_INIT_INO in the kernel's include/linux/proc_ns.h.
inline constexpr unsigned long initial_ipc_inode = 4026531839UL;

struct IpcMode {
  std::string name;  ///< host, private, private-host-shm, none or unknown
  std::string why;
};

IpcFacts ipc_facts(const IpcCanary& canary);

/// Whether the kernel is gVisor: its release ends so, or its log begins with "Starting gVisor" (which is what syzkaller looks
/// for, too).
bool is_gvisor(const std::string& kernel_release, const std::string& kernel_log);

/// `host` needs the caller's inode and the nonce of its SysV segment. Without the caller's inode the constant decides, and a
/// container that shares another container's namespace is called private: only the caller can know that one's inode.
IpcMode ipc_mode(const IpcFacts& facts, const IpcCanary& canary);

Json to_json(const IpcFacts& facts);

}  // namespace envgen::bench
