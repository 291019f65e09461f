#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/options.hpp"

/// Tools that the files install by themselves, each in a version that was read: rows of tools.json.
namespace envgen::files {

/// Errors (bad_input): a tool that some file needs is not among those of the options, or a version or a hash is none.
Expected<void> check_tools(const Options& options);

/// A package of Python with the version for that of the environment: `ninja==1.13.0`.
std::string pinned_tool(std::string_view name, const Inputs& inputs);

/// Requirements with the hashes of their files: `uv==0.13.9 --hash=sha256:...`.
std::string uv_by_hash(const Inputs& inputs);
std::string pip_by_hash(const Inputs& inputs);
const std::string& uv_version(const Inputs& inputs);

struct Miniforge {
  std::string folder;  ///< the address that the installer lies below
  std::string file;
  std::string sha256;
};
Miniforge miniforge(const Inputs& inputs);

/// Commands of bash that bring /opt/uv/bin/uv into an image with python3 and its venv. It comes from the package index, so that
/// every mirror of that serves.
std::vector<std::string> commands_for_uv(const Inputs& inputs);

/// ... and then pip into a virtual environment, which uv makes without one, or with whichever is the newest.
std::string command_for_pip(std::string_view folder, const Inputs& inputs);

/// The pip of the system's Python is older than 20.3, as all that came with Pythons before 3.9 (Ubuntu 18.04: 9.0.1, 20.04:
/// 20.0.2): it finds no wheel for manylinux2014 or later ones, or only some, and does not settle what packages ask of each other.
bool has_old_pip(const Environment& environment);

/// Puts a newer one into the virtual environment that was made with it.
std::string command_for_newer_pip(std::string_view folder, const Inputs& inputs);

}  // namespace envgen::files
