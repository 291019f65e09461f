#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/environment.hpp"

/// Tools that the outputs install, each in a version that was read.
namespace envgen::output {

/// The newest uv on the package index on 2026-11-21. https://docs.astral.sh/uv/getting-started/installation/
inline constexpr std::string_view uv_version = "0.13.9";
/// Of its wheels for glibc, as the package index gives them: `pip download` fetched each on 2026-11-23, and sha256sum read it.
/// For aarch64 there are two, and pip takes the one that its glibc allows.
inline constexpr std::string_view uv_hashes_x86_64 =
    "--hash=sha256:d7f459fe4fd247d830351c75686d3996ace3c6f3f728eb0e85a30b7ada0cef19";
inline constexpr std::string_view uv_hashes_aarch64 =
    "--hash=sha256:5435c5ce14a56431208ca0996416d310f1598e8c2c8ba707688985a16bb82dbe "
    "--hash=sha256:ecb6028d79dc96fbeafffe5c8af62a7099487ebc05a701e76714eebcffd06375";

/// pip for a Python, with the hash of its only wheel, read as those of uv. The last for 3.5 is the one that knows manylinux2014
/// there.
inline constexpr std::string_view pip_for_python_38 =
    "pip==25.0.1 --hash=sha256:c46efd13b6aa8279f33f2864459c8ce587ea6a1a59ee20de055868d8f7688f7f";
inline constexpr std::string_view pip_for_python_37 =
    "pip==24.0 --hash=sha256:ba0d021a166865d2265246961bec0152ff124de910c5cc39f1156ce3fa7c69dc";
inline constexpr std::string_view pip_for_python_35 =
    "pip==20.3.4 --hash=sha256:217ae5161a0e08c0fb873858806e3478c9775caffce5168b50ec885e358c199d";

/// Miniforge 26.3.2-3 (base Python 3.13) with the sums of its installers for Linux, as pyenv's python-build has them:
/// https://github.com/pyenv/pyenv/blob/d61c037fbe2d7ff9c51e6c8ad31b7494fb9e831c/plugins/python-build/share/python-build/miniforge3-26.3.2-3
inline constexpr std::string_view miniforge_version = "26.3.2-3";
inline constexpr std::string_view miniforge_url = "https://github.com/conda-forge/miniforge/releases/download";

struct MiniforgeInstaller {
  std::string_view file;
  std::string_view sha256;
};
constexpr MiniforgeInstaller miniforge_for(Platform platform) {
  if (platform == Platform::linux_aarch64)
    return {"Miniforge3-26.3.2-3-Linux-aarch64.sh", "2c113a69297e612b01ca0f320c22a3107a11f2ab9b573d79ac868a175945ce29"};
  return {"Miniforge3-26.3.2-3-Linux-x86_64.sh", "848194851a98903134187fbb4ab50efe87b003e0c0f808f97644b7524a62bf2c"};
}

/// A package of Python that an output adds by itself: the version for a Python, and the one for Python 3.7. Each was fetched by
/// pip for that Python, and for 3.8 and 3.14 where there is one for all (2026-11-22).
struct PythonTool {
  std::string_view name, version, for_python_37;
};
inline constexpr std::array python_tools{
    PythonTool{"jupyterlab", "4.3.8", "3.6.8"},   PythonTool{"ninja", "1.13.0", "1.11.1.4"},
    PythonTool{"packaging", "24.2", "24.0"},      PythonTool{"psutil", "7.2.2", "7.2.2"},
    PythonTool{"setuptools", "75.3.2", "68.0.0"}, PythonTool{"wheel", "0.45.1", "0.42.0"},
};

/// Requirements with the hashes of their files: `uv==0.13.9 --hash=sha256:...`.
std::string uv_by_hash(Platform platform);
std::string pip_by_hash(PythonVersion python);

/// Commands of bash that bring /opt/uv/bin/uv into an image with python3 and its venv. It comes from the package index, so that
/// every mirror of that serves.
std::vector<std::string> commands_for_uv(const Environment& environment);

/// ... and then pip into a virtual environment, which uv makes without one, or with whichever is the newest.
std::string command_for_pip(std::string_view venv, PythonVersion python);

}  // namespace envgen::output
