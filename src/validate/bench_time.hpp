#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "validate/validate.hpp"

namespace envgen::validate {

/// The limits that envgen-bench is given, so that it has reported before its container's time (`Options::timeout`) is over: one
/// for all of its tests, and one for each, of which two that hang fit into it.
std::vector<std::string> bench_time(std::chrono::seconds container, Profile profile);

}  // namespace envgen::validate
