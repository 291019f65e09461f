#pragma once

#include <string>
#include <vector>

#include "files/image_base.hpp"
#include "files/image_install.hpp"

namespace envgen::files {

/// The last of two stages: an image that compiles nothing, with what the stage `build` installed.
struct RuntimeStage {
  Environment environment;  ///< the same, for runtime
  Options options;
  ImageBase base;
  Install install;                  ///< packages and variables; no commands
  std::vector<std::string> copies;  ///< folders of the stage `build`
};

/// `install`: how the first stage installs. Errors (usage): nothing is compiled, conda or the image holds the framework,
/// something compiles when it is used, no image fits.
Expected<RuntimeStage> runtime_stage(const Inputs& inputs, const Install& install);

}  // namespace envgen::files
