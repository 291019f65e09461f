#pragma once

#include <string>
#include <vector>

#include "files/file.hpp"
#include "files/options.hpp"
#include "util/json_writer.hpp"

namespace envgen::files {

/// Extensions of VS Code for this environment: Python with debugger, Pylint, Black and Jupyter, Git; for devel C++ and Nsight,
/// too.
std::vector<std::string> editor_extensions(const Environment& environment);

/// The members of VS Code's settings for this environment. Outside of the container the interpreter's path names nothing, and
/// the Python extension looks for one itself: `.venv` of the folder, then others
/// (vscode-python-environments, "Python Interpreter Selection": invalid paths fall through to auto-discovery).
void write_editor_settings(util::JsonWriter& json, const std::string& interpreter_path);

/// .vscode/settings.json, launch.json and extensions.json.
Expected<Files> vscode(const Inputs& inputs);

}  // namespace envgen::files
