#pragma once

#include <string>
#include <string_view>

#include "host/probe.hpp"
#include "model/error.hpp"

namespace envgen::host {

/// Fills in what does not depend on a GPU: platform, os_id, wsl, tegra.
/// Sources: uname(2) or `sources.machine`; /etc/os-release, else /usr/lib/os-release; /proc/sys/kernel/osrelease, in which
/// WSL 2's kernel calls itself `5.15.146.1-microsoft-standard-WSL2` and WSL 1 `4.4.0-19041-Microsoft`; /etc/nv_tegra_release
/// and /proc/device-tree/compatible (`nvidia,tegra234`) for a Jetson.
void describe_machine(const Sources& sources, Report& report);

/// `ubuntu22.04`, `debian12`: ID and VERSION_ID of an os-release file, put together. `arch` where there is no VERSION_ID.
/// Format: os-release(5), https://www.freedesktop.org/software/systemd/man/latest/os-release.html (KEY=value, with the
/// quoting of a shell; the last of several wins; without an ID it is `linux`).
/// Errors (bad_input): an ID or VERSION_ID of other characters than a-z, 0-9, '.', '_' and '-', which that page demands.
Expected<std::string> parse_os_release(std::string_view text);

}  // namespace envgen::host
