#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/options.hpp"

/// What is to be installed, the same for every output.
namespace envgen::files {

/// Requirements that are installed by one command from one index.
struct PipStep {
  std::optional<std::string> index_url;  ///< the wheel index; none: the index that pip is configured with
  std::vector<std::string> requirements;
  bool compiles = false;  ///< against the torch that is there: without an environment of its own (`--no-build-isolation`)
  bool frozen = false;    ///< the frozen tree in place of requirements; the wheel index is one more index then
};

/// What follows `pip install`, or `uv pip install`: flags and requirements, quoted for a shell. The wheel index is that of the
/// variable TORCH_INDEX_URL. `frozen_tree`: where the frozen tree lies, a word of a shell.
std::string words_of(const PipStep& step, const Environment& environment, std::string_view frozen_tree);

/// pip treats all indexes alike, so the framework gets a command of its own where it comes from the wheel index
/// (https://github.com/pypa/pip/issues/8606). Pins come first, so that no newer release is there to be replaced; what a user adds
/// comes last and names the framework again, so that nothing replaces that; what compiles against it after everything else.
/// A frozen tree is one step: by its hashes each file is the right one, whichever index has it.
std::vector<PipStep> pip_steps(const Inputs& inputs);

/// Steps for what comes when the framework is there: the requirements, and then what compiles against it. `framework` stands
/// first in each, so that nothing replaces it; empty where conda brought it.
std::vector<PipStep> steps_after(const std::string& framework, std::vector<std::string> requirements, const Options& options);

/// What must not be newer: `setuptools<82`. Requirements of pip, or specifications of conda.
std::vector<std::string> pins(const Environment& environment);

/// The same for pip, each with what was asked of that package besides: `numpy<2,>=1.26`.
std::vector<std::string> pins_of_pip(const Inputs& inputs);

/// What was asked for besides, of pip, but for what is pinned, and what compiles when it is installed; what that is built with is
/// among it.
std::vector<std::string> extras(const Inputs& inputs);

/// What compiles when it is installed. It comes last, by a command of its own.
std::vector<std::string> compiled(const Options& options);

/// Pins and extras: all but the framework and what compiles.
std::vector<std::string> pins_and_extras(const Inputs& inputs);

/// A TensorFlow before 2.14, which finds CUDA and cuDNN on the system.
bool takes_cuda_of_system(const Environment& environment);
/// What it has to find there: `CUDA 11.2 and cuDNN 8.1`.
std::string cuda_of_system(const Environment& environment);

/// Which build it is and where it comes from: `torch 2.9.1 for CUDA 12.6, which the wheel index alone carries`.
std::string framework_origin(const Environment& environment);

/// The wheel index, or its mirror, where the package index does not carry the build.
std::optional<std::string> wheel_index(const Inputs& inputs);

/// What to ask for where nothing but conda provides the Python: conda, or of TensorFlow, which envgen does not take from there,
/// the newest Python of the build.
std::string other_way_to_python(const Environment& environment);

/// `torch==2.3.1`, and its companions; `tensorflow[and-cuda]==2.15.1`.
std::vector<std::string> framework_requirements(const Environment& environment);

}  // namespace envgen::files
