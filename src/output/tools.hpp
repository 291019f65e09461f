#pragma once

#include <string_view>

/// Tools that the outputs install, each in a version that was read.
namespace envgen::output {

/// The newest uv on the package index on 2026-11-21. https://docs.astral.sh/uv/getting-started/installation/
inline constexpr std::string_view uv_version = "0.13.9";

/// Miniforge 26.3.2-3 (base Python 3.13) with the sums of its installers for Linux, as pyenv's python-build has them:
/// https://github.com/pyenv/pyenv/blob/d61c037fbe2d7ff9c51e6c8ad31b7494fb9e831c/plugins/python-build/share/python-build/miniforge3-26.3.2-3
inline constexpr std::string_view miniforge_version = "26.3.2-3";
inline constexpr std::string_view miniforge_url = "https://github.com/conda-forge/miniforge/releases/download";

struct MiniforgeInstaller {
  std::string_view file;
  std::string_view sha256;
};
/// `platform`: `linux-x86_64` or `linux-aarch64`.
constexpr MiniforgeInstaller miniforge_for(std::string_view platform) {
  if (platform == "linux-aarch64")
    return {"Miniforge3-26.3.2-3-Linux-aarch64.sh", "2c113a69297e612b01ca0f320c22a3107a11f2ab9b573d79ac868a175945ce29"};
  return {"Miniforge3-26.3.2-3-Linux-x86_64.sh", "848194851a98903134187fbb4ab50efe87b003e0c0f808f97644b7524a62bf2c"};
}

}  // namespace envgen::output
