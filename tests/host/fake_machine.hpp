#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace envgen::host {

/// A folder that stands for / and goes away with the test.
class FakeRoot {
 public:
  FakeRoot() {
    auto name = (std::filesystem::temp_directory_path() / "envgen-host-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  FakeRoot(const FakeRoot&) = delete;
  FakeRoot& operator=(const FakeRoot&) = delete;
  ~FakeRoot() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  const std::filesystem::path& path() const { return path_; }

  void write(const std::string& file, std::string_view text) const {
    const auto path = path_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  }

  /// A shell script as a double of a program. Returns its path.
  std::string script(const std::string& file, std::string_view body) const {
    write(file, std::string("#!/bin/sh\n") + std::string(body));
    std::filesystem::permissions(path_ / file, std::filesystem::perms::owner_all);
    return (path_ / file).string();
  }

  void pci(const std::string& address, std::string_view vendor, std::string_view device, std::string_view device_class) const {
    const auto folder = "sys/bus/pci/devices/" + address + "/";
    write(folder + "vendor", std::string(vendor) + "\n");
    write(folder + "device", std::string(device) + "\n");
    write(folder + "class", std::string(device_class) + "\n");
  }

 private:
  std::filesystem::path path_;
};

/// Environment variables for one test.
class Environment {
 public:
  void set(const std::string& name, const std::string& value) {
    ::setenv(name.c_str(), value.c_str(), 1);
    names_.push_back(name);
  }
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const auto& name : names_) ::unsetenv(name.c_str());
  }

 private:
  std::vector<std::string> names_;
};

inline constexpr const char* open_module_version =
    "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  565.57.01  Release Build  (dvs-builder@U16-A24-9-2)  "
    "Thu Oct 10 12:15:00 UTC 2024\n"
    "GCC version:  gcc version 13.3.0 (Ubuntu 13.3.0-6ubuntu2~24.04)\n";
inline constexpr const char* proprietary_module_version =
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  515.65.01  Wed Mar 16 11:24:05 UTC 2022\n"
    "GCC version:  gcc version 12.2.0 (GCC)\n";
inline constexpr const char* l4_information =
    "Model: \t\t NVIDIA L4\n"
    "IRQ:   \t\t 16\n"
    "GPU UUID: \t GPU-3291dfa4-fcc4-0110-615b-c894a0d7c689\n"
    "Video BIOS: \t 95.04.65.00.13\n"
    "Bus Type: \t PCIe\n"
    "DMA Size: \t 47 bits\n"
    "DMA Mask: \t 0x7fffffffffff\n"
    "Bus Location: \t 0000:70:00.0\n"
    "Device Minor: \t 0\n"
    "GPU Excluded:\t No\n";

}  // namespace envgen::host
