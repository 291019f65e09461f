#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "container/container.hpp"
#include "model/error.hpp"
#include "validate/sharing.hpp"

namespace envgen::validate {

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
