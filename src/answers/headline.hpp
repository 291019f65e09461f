#pragma once

#include <string>
#include <vector>

#include "model/environment.hpp"

/// An environment in one line.
namespace envgen::answers {

/// `torch 2.3.1 + CUDA 12.1, Python 3.10, Ubuntu 22.04, driver 525.60.13 or newer`.
std::string headline(const Environment& environment);

/// Some machine's driver supports this CUDA only through cuda-compat.
bool needs_compat(const Environment::Driver& driver);

/// `525.60.13 or newer`, `450.80.02 to 470.xx`; empty: no number says it.
std::string range_in_words(const Environment::DriverRange& range);

/// `JetPack 7.2 or newer`, which stands in place of a driver for an Orin; empty: none is asked for. Its own binaries are those of
/// conda-forge's builds for JetPack 6, and those for other Arm machines run from 7.2 on.
std::string jetpack_in_words(const Environment& environment);

/// `V100, T4`; `unnamed GPUs` where a driver stands for a machine of which nothing else is known.
std::string boards_in_words(const std::vector<std::string>& gpus);

/// What tells environments apart in a list: every choice, one line.
std::string environment_line(const Environment& environment);

}  // namespace envgen::answers
