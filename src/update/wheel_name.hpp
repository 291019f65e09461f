#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/python_version.hpp"

namespace envgen::update {

/// What the file name of a wheel says (https://packaging.python.org/en/latest/specifications/binary-distribution-format/).
struct WheelName {
  std::string project;                  ///< as PEP 503 normalises it: `nvidia-cudnn-cu12`
  std::string version;                  ///< without the local part: `2.3.1`
  std::string local;                    ///< `cu121`; empty: none
  std::optional<PythonVersion> python;  ///< of CPython; none: any Python 3 (`py3-none`), or another implementation
  bool any_python = false;              ///< `py3-none`
  std::string platform;                 ///< as rows name it: `linux-x86_64`, `linux-aarch64`; empty: another one, or any
  std::string glibc;  ///< the oldest that it is made for (`manylinux_2_28`: `2.28`); empty: its name does not say

  static std::optional<WheelName> parse(std::string_view file);
};

}  // namespace envgen::update
