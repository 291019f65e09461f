#include "files/interpreter.hpp"

#include <fmt/format.h>

namespace envgen::files {

bool image_refuses_pip(const Environment& environment) {
  return environment.python_provider == PythonProvider::image && environment.image_layout.value_or("") != "conda" &&
         environment.system && environment.system->pep668.value_or(false);
}

std::string interpreter(const Environment& environment) {
  if (environment.installer == Installer::conda) return fmt::format("{}/bin/python", image_conda);
  if (environment.python_provider != PythonProvider::image || image_refuses_pip(environment))
    return fmt::format("{}/bin/python", image_venv);
  return environment.image_layout.value_or("") == "conda" ? "/opt/conda/bin/python" : "python";
}

std::string interpreter_of_setup(const Environment& environment) {
  return environment.installer == Installer::conda ? "${workspaceFolder}/.conda/bin/python"
                                                   : "${workspaceFolder}/.venv/bin/python";
}

}  // namespace envgen::files
