#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/error.hpp"
#include "model/version.hpp"

namespace envgen::inspect {

/// What torch/version.py states. It is not run: a value is read where it stands there as a text or as None.
struct VersionPy {
  std::string version;          ///< `2.9.1+cu128`; empty: it stands there in another form, or not at all
  std::optional<Version> cuda;  ///< of the build; 0 parts: it is for no CUDA. None: it does not say
  std::string accelerator;      ///< what it is for instead of CUDA, `ROCm` or `XPU`; empty: it states none
};

/// `path` is its own. Errors (bad_input): it gives a CUDA that is no version.
Expected<VersionPy> parse_version_py(std::string_view text, const std::string& path, const std::string& origin);

}  // namespace envgen::inspect
