#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "container/container.hpp"
#include "model/error.hpp"
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

/// 32 hexadecimal digits: nobody can guess them, nor have known them before.
std::string made_nonce();
/// What is held, by the inode of the namespace, the key of the segment, the name of the file (empty: none) and the word in them.
HeldIpc held_ipc(unsigned long inode, std::optional<long long> key, const std::string& file, const std::string& nonce);

/// The IPC namespace of a process; none: it may not be looked at.
std::optional<unsigned long> ipc_namespace(const std::string& process);

/// The canary of an engine that runs on another machine: a container of the same image with that machine's IPC namespace, in
/// which envgen-bench holds a SysV segment and a file in /dev/shm. They go with it, and after `longest` in any case.
class RemoteCanary {
 public:
  /// `left` is told of its container where the engine does not remove it.
  RemoteCanary(const container::Engine& engine, std::vector<container::Left>& left, std::chrono::seconds longest)
      : container_(engine, left), longest_(longest) {}
  ~RemoteCanary();
  RemoteCanary(const RemoteCanary&) = delete;
  RemoteCanary& operator=(const RemoteCanary&) = delete;

  /// Errors (missing): the engine makes no such container, or envgen-bench cannot hold anything there; interrupted.
  Expected<void> make(const std::string& image, const std::filesystem::path& bench);
  /// Empty before it was made.
  const HeldIpc& held() const { return held_; }

 private:
  container::Container container_;
  std::chrono::seconds longest_;
  HeldIpc held_;
};

/// Of the line that envgen-bench prints when it holds them. Errors (missing): it is no such line.
Expected<HeldIpc> parse_held(const std::string& line);

}  // namespace envgen::validate
