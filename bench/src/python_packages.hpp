#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json.hpp"

namespace envgen::bench {

/// What a file or a folder says of a Python, of a framework, or of a library that came as a package.
struct PythonPackage {
  std::string name;     ///< `torch`, `tensorflow`, `nvidia-cudnn-cu12`, `libtorch_cuda`, `python` (of its own library)
  std::string version;  ///< empty: it says none
  std::optional<std::string> cuda = std::nullopt;   ///< as torch/version.py has it; empty: a build for the CPU
  std::optional<std::string> cudnn = std::nullopt;  ///< the package of cuDNN that the metadata of torch asks for; empty: none
  std::string path = {};
};

/// By its path. None: it says nothing of what is looked for. Small files are read, never through a link.
std::optional<PythonPackage> package_at(const std::string& path, bool folder);

/// `__version__` and `cuda` of the text of torch/version.py.
PythonPackage of_torch_version(std::string_view text);

Json to_json(const PythonPackage& package);

}  // namespace envgen::bench
