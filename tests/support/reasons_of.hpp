#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/environment.hpp"

namespace envgen::test {

/// What is wrong with the reasons of an environment: each of its values has one, which speaks of that value and is not empty.
std::vector<std::string> wrong_reasons(const Environment& environment);

/// Why a value was chosen; `no reason for FIELD` where none is given.
std::string why(const Environment& environment, std::string_view field);

}  // namespace envgen::test
