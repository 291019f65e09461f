#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/utsname.h>

#include "util/temporary_folder.hpp"

namespace envgen::test {

/// docker, podman or neither on PATH, and nothing else; see engine_double.sh. PATH comes back afterwards.
class EngineDouble {
 public:
  explicit EngineDouble(const std::vector<std::string>& clients = {"docker"})
      : folder_(*util::TemporaryFolder::make("envgen-engine")) {
    const auto bin = folder_.path() / "bin";
    std::filesystem::create_directory(bin);
    for (const auto& client : clients) std::filesystem::copy_file(ENGINE_DOUBLE_SCRIPT, bin / client);
    if (const char* path = std::getenv("PATH")) path_ = path;
    ::setenv("PATH", bin.c_str(), 1);
    ::setenv("ENGINE_DOUBLE", folder_.path().c_str(), 1);
    ::setenv("DOCKER_HOST", "unix:///var/run/docker.sock", 1);
  }
  ~EngineDouble() {
    ::setenv("PATH", path_.c_str(), 1);
    ::unsetenv("ENGINE_DOUBLE");
    ::unsetenv("DOCKER_HOST");
  }
  EngineDouble(const EngineDouble&) = delete;
  EngineDouble& operator=(const EngineDouble&) = delete;

  /// What a command answers: `info`, `image-inspect`, `start.2`.
  void answer(const std::string& command, const std::string& out, int exit = 0, const std::string& err = {}) const {
    write(command + ".out", out);
    write(command + ".err", err);
    write(command + ".exit", std::to_string(exit));
  }
  void delay(const std::string& command, const std::string& seconds) const { write(command + ".sleep", seconds); }

  /// Whatever is started writes into the mount of the last container, as envgen-bench does.
  void write_into_mounts() const { write("writes", ""); }

  /// A docker with an image and containers that start and end well.
  void all_well() const {
    answer("info", info());
    answer("image-inspect", image());
    answer("inspect", R"({"State": {"StartedAt": "2026-11-22T10:00:00Z", "ExitCode": 0, "OOMKilled": false, "Error": ""},
                          "HostConfig": {"IpcMode": "private"}})");
  }
  static std::string host_name() {
    utsname names{};
    ::uname(&names);
    return names.nodename;
  }
  static std::string info(const std::string& more = {}) {
    return R"({"ServerVersion": "29.1.0", "Architecture": "x86_64", "OperatingSystem": "Debian", "Name": ")" + host_name() +
           "\"" + more + "}";
  }
  static std::string image(const std::string& config = R"("User": "dev")") {
    return R"({"Id": "sha256:0123456789abcdef", "Architecture": "amd64", "Size": 5000000, "RootFS": {"Layers": ["a"]}, "Config": {)" +
           config + "}}";
  }

  /// Each call, its words with `|` behind them.
  std::vector<std::string> calls() const {
    std::vector<std::string> lines;
    std::ifstream file(folder_.path() / "calls");
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  /// Those of one command.
  std::vector<std::string> calls(const std::string& command) const {
    std::vector<std::string> found;
    for (auto& line : calls()) {
      if (line.starts_with(command + "|")) found.push_back(std::move(line));
    }
    return found;
  }
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
  }

  util::TemporaryFolder folder_;
  std::string path_;
};

}  // namespace envgen::test
