#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output/options.hpp"

/// What is to be installed, the same for every output.
namespace envgen::output {

/// Requirements that are installed by one command from one index.
struct PipStep {
  std::optional<std::string> index_url;  ///< the wheel index; none: the index that pip is configured with
  std::vector<std::string> requirements;
};

/// pip treats all indexes alike, so the framework gets a command of its own where it comes from the wheel index
/// (https://github.com/pypa/pip/issues/8606). Pins come first, so that no newer release is there to be replaced; what a user adds
/// comes last and names the framework again, so that nothing replaces that.
std::vector<PipStep> pip_steps(const Subject& subject);

/// What must not be newer: `setuptools<82`. Requirements of pip, or specifications of conda.
std::vector<std::string> pins(const Environment& environment);

/// What was asked for besides, of pip.
std::vector<std::string> extras(const Options& options);

/// Both: all but the framework.
std::vector<std::string> pins_and_extras(const Subject& subject);

/// Which build it is and where it comes from: `torch 2.9.1 for CUDA 12.6, which the wheel index alone carries`.
std::string framework_origin(const Environment& environment);

/// The wheel index, where the package index does not carry the build.
std::optional<std::string> wheel_index(const Environment& environment);

/// `torch==2.3.1`, and its companions; `tensorflow[and-cuda]==2.15.1`.
std::vector<std::string> framework_requirements(const Environment& environment);

}  // namespace envgen::output
