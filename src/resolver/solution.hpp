#pragma once

#include <array>
#include <optional>
#include <vector>

#include "resolver/predicates.hpp"
#include "resolver/query.hpp"

namespace envgen::resolver {

/// Where a build is put: base, operating system, images, Python.
struct Placement {
  Base base = Base::slim;
  const matrix::Os* os = nullptr;                   ///< null: an official image whose system was not read
  const matrix::ImageSet* images = nullptr;         ///< the nvidia/cuda images of that system, null = none was published
  const matrix::OfficialImage* official = nullptr;  ///< the image that base pytorch or tensorflow starts from
  Version toolkit;                                  ///< the CUDA update of nvcc and images, none for a CPU build
};

/// What an older driver allows.
struct UnderDriver {
  DriverVersion driver;
  const matrix::Build* build = nullptr;
};

/// An answer of the search, by reference to the facts: cheap to make, turned into an Environment when it is shown.
struct Solution {
  const matrix::Build* build = nullptr;
  Placement placement;
  PythonVersion python;
  PythonProvider provider = PythonProvider::system;
  PythonSet pythons;  ///< where every companion in the answer has a wheel too
  const matrix::Companion* torchvision = nullptr;
  const matrix::Companion* torchaudio = nullptr;
  DriverVersion driver_minimum;  ///< with which every machine works; none: no GPU is involved, unknown, or Tegra
  bool jit = false;              ///< a board has no machine code: the driver compiles PTX for it
  bool forward = false;          ///< cuda-compat is needed
  const matrix::Build* newer_with_compat = nullptr;  ///< works, too, but with cuda-compat; null: none, or not looked for
  /// Where GPUs alone were asked for: the first driver that knows them all, and what is best under it, an earlier release. None:
  /// the answer already begins there, or nothing works with that driver, or more was asked.
  std::optional<UnderDriver> under_first_driver;
};

}  // namespace envgen::resolver
