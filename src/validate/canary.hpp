#pragma once

#include <optional>
#include <string>

#include "validate/sharing.hpp"

namespace envgen::validate {

/// What shows from inside a container whether its IPC is this machine's: our namespace's inode, a SysV segment and a file in
/// /dev/shm, which both hold a word that nobody can guess. They go when this does; those of runs that were killed go when the
/// next one is made.
class Canary {
 public:
  Canary();
  ~Canary();
  Canary(const Canary&) = delete;
  Canary& operator=(const Canary&) = delete;

  /// Empty where none of it could be made.
  HeldIpc held() const;
  std::optional<unsigned long> inode() const { return inode_; }

 private:
  void make_segment();
  void make_file();

  std::optional<unsigned long> inode_;
  std::string nonce_;
  std::string file_;  ///< its name in /dev/shm; empty: there is none
  int key_ = 0;
  int segment_ = -1;
  void* memory_ = nullptr;
};

/// The IPC namespace of a process; none: it may not be looked at.
std::optional<unsigned long> ipc_namespace(const std::string& process);

}  // namespace envgen::validate
