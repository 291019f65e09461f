#pragma once

#include <string>
#include <string_view>

#include "model/error.hpp"

namespace envgen::host {

/// `ubuntu22.04`, `debian12`: ID and VERSION_ID of an os-release file, put together. `arch` where there is no VERSION_ID.
/// Format: os-release(5), https://www.freedesktop.org/software/systemd/man/latest/os-release.html (KEY=value, with the
/// quoting of a shell; the last of several wins; without an ID it is `linux`).
/// Errors (bad_input): an ID or VERSION_ID of other characters than a-z, 0-9, '.', '_' and '-', which that page demands.
Expected<std::string> parse_os_release(std::string_view text);

}  // namespace envgen::host
