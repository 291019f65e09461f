#pragma once

#include <algorithm>

#include "model/environment.hpp"

namespace envgen {

/// Whether the extra `[and-cuda]` of a TensorFlow asks for TensorRT, as those of 2.14.0, 2.14.1 and 2.15.0 do. pip cannot always
/// install that: tensorrt-libs 8.6.1 is not on the package index, and tensorrt 8.5.3.1 has no wheel for Python 3.11 (METADATA of
/// these wheels; NVIDIA/TensorRT#2933). TensorFlow runs without it, so the other packages of the extra are installed by name.
inline bool extra_needs_tensorrt(const Environment::Names& cuda_pins) {
  return std::any_of(cuda_pins.begin(), cuda_pins.end(), [](const auto& pin) { return pin.first.starts_with("tensorrt"); });
}

}  // namespace envgen
