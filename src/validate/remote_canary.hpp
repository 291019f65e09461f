#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "container/container.hpp"
#include "model/error.hpp"

namespace envgen::validate {

/// The canary of an engine that runs on another machine: a container of the same image with that machine's IPC namespace, in
/// which envgen-bench holds a SysV segment and a file in /dev/shm. They go with it, and after `longest` in any case.
class RemoteCanary {
 public:
  RemoteCanary(const container::Engine& engine, std::chrono::seconds longest) : container_(engine), longest_(longest) {}
  ~RemoteCanary();
  RemoteCanary(const RemoteCanary&) = delete;
  RemoteCanary& operator=(const RemoteCanary&) = delete;

  /// Errors (missing): the engine makes no such container, or envgen-bench cannot hold anything there; interrupted.
  Expected<void> make(const std::string& image, const std::filesystem::path& bench);
  /// The flags of envgen-bench that hand it in; empty before it was made.
  const std::vector<std::string>& bench_flags() const { return flags_; }

 private:
  container::Container container_;
  std::chrono::seconds longest_;
  std::vector<std::string> flags_;
};

/// Of the line that envgen-bench prints when it holds them. Errors (missing): it is no such line.
Expected<std::vector<std::string>> flags_of_held(const std::string& line);

}  // namespace envgen::validate
