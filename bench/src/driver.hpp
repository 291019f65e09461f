#pragma once

#include <string>

#include "api/cuda_driver.hpp"
#include "loaded_library.hpp"
#include "lookup.hpp"

namespace envgen::bench {

/// libcuda, opened and bound.
struct Driver {
  LoadedLibrary library;
  api::cuda::Table api;
  int version = 0;  ///< the newest CUDA that it serves: 12040 for 12.4; 0: it could not say

  /// Throws TestFailed, with the driver's own name and text for `result`, unless it is success.
  void check(api::cuda::Result result, const char* call) const;
};

/// Opens libcuda and binds it, and asks for its version. Initialises nothing.
/// Throws TestFailed: it is not there (`cuda-35-no-driver`), or is older than R450.
Driver open_driver(const Places& places);

/// The same after cuInit. Throws TestFailed for what cuInit said.
Driver start_driver(const Places& places);

/// `12.4` for 12040, as the driver and the runtime number their versions.
std::string cuda_version_text(int version);

}  // namespace envgen::bench
