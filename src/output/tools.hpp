#pragma once

#include <array>
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

/// A package of Python that an output adds by itself: the version for a Python, and the one for Python 3.7. Each was fetched by
/// pip for that Python, and for 3.8 and 3.14 where there is one for all (2026-11-22).
struct PythonTool {
  std::string_view name, version, for_python_37;
};
inline constexpr std::array python_tools{
    PythonTool{"jupyterlab", "4.3.8", "3.6.8"}, PythonTool{"ninja", "1.13.0", "1.11.1.4"},
    PythonTool{"packaging", "24.2", "24.0"},    PythonTool{"pip", "25.0.1", "24.0"},
    PythonTool{"psutil", "7.2.2", "7.2.2"},     PythonTool{"setuptools", "75.3.2", "68.0.0"},
    PythonTool{"wheel", "0.45.1", "0.42.0"},
};

}  // namespace envgen::output
