#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "validate/validate.hpp"

namespace envgen::validate {

/// The limits that envgen-bench is given, so that it has reported before the time of the run is over, of which `left` is left:
/// one for all of its tests, and one for each, of which two that hang fit into it.
std::vector<std::string> bench_time(std::chrono::seconds whole, std::chrono::seconds left, Profile profile);

}  // namespace envgen::validate
