#pragma once

#include "validate/self_report.hpp"

namespace envgen::validate {

/// The check extensions: whether what was compiled against torch loads with the one that is there, was compiled for it, and has
/// code for each GPU of `wanted`. None: Python has not told.
std::optional<Result> judge_extensions(const SelfReport& report, const Wanted& wanted);

}  // namespace envgen::validate
