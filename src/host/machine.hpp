#pragma once

#include "host/probe.hpp"

namespace envgen::host {

/// Fills in what does not depend on a GPU: platform, os_id, wsl, tegra.
/// Sources: uname(2) or `sources.machine`; /etc/os-release, else /usr/lib/os-release; /proc/sys/kernel/osrelease, in which
/// WSL 2's kernel calls itself `5.15.146.1-microsoft-standard-WSL2` and WSL 1 `4.4.0-19041-Microsoft`; /etc/nv_tegra_release
/// and /proc/device-tree/compatible (`nvidia,tegra234`) for a Jetson.
void describe_machine(const Sources& sources, Report& report);

}  // namespace envgen::host
