#pragma once

#include <string>
#include <vector>

#include "model/environment.hpp"

namespace envgen::test {

/// What is wrong with the reasons of an environment: each of its values has one, which speaks of that value and is not empty.
std::vector<std::string> wrong_reasons(const Environment& environment);

}  // namespace envgen::test
