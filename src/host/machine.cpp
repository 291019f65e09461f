#include "host/machine.hpp"

#include <string_view>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "host/text.hpp"

namespace envgen::host {
namespace {

void describe_platform(const Sources& sources, Report& report) {
  auto machine = sources.machine;
  utsname name{};
  if (machine.empty() && ::uname(&name) == 0) machine = name.machine;
  if (machine == "x86_64") {
    report.platform = Platform::linux_x86_64;
  } else if (machine == "aarch64") {
    report.platform = Platform::linux_aarch64;
  } else {
    report.tried.push_back(fmt::format("machine '{}': neither x86_64 nor aarch64", printable(machine)));
  }
}

void describe_os(const Sources& sources, Report& report) {
  std::string_view path = "/etc/os-release";
  auto text = read_text(sources.root, path);
  if (!text) {
    report.tried.push_back(text.error().message);
    path = "/usr/lib/os-release";
    text = read_text(sources.root, path);
  }
  if (!text) {
    report.tried.push_back(text.error().message);
  } else if (const auto id = parse_os_release(*text)) {
    report.os_id = *id;
  } else {
    report.tried.push_back(fmt::format("{}: {}", path, id.error().message));
  }
}

void describe_kernel(const Sources& sources, Report& report) {
  const auto release = read_text(sources.root, "/proc/sys/kernel/osrelease");
  if (!release) return;  // a container may hide it; then nothing says WSL
  report.wsl = release->find("microsoft") != std::string::npos || release->find("WSL2") != std::string::npos;
  if (!report.wsl && release->find("Microsoft") != std::string::npos) {
    report.tried.emplace_back("/proc/sys/kernel/osrelease: WSL 1, which has no GPU support; WSL 2 has it");
  }
  std::error_code error;
  if (report.wsl && !std::filesystem::exists(sources.root / "dev/dxg", error)) {
    report.tried.emplace_back("/dev/dxg: not found, so Windows shares no GPU with this WSL 2");
  }
}

void describe_tegra(const Sources& sources, Report& report) {
  std::error_code error;
  const auto compatible = read_text(sources.root, "/proc/device-tree/compatible");
  report.tegra = std::filesystem::exists(sources.root / "etc/nv_tegra_release", error) ||
                 (compatible && compatible->find("nvidia,tegra") != std::string::npos);
}

}  // namespace

void describe_machine(const Sources& sources, Report& report) {
  describe_platform(sources, report);
  describe_os(sources, report);
  describe_kernel(sources, report);
  describe_tegra(sources, report);
}

}  // namespace envgen::host
