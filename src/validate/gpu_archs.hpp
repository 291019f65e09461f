#pragma once

#include "validate/self_report.hpp"

namespace envgen::validate {

/// The check gpu-archs: whether the framework's machine code or PTX runs on each GPU of `wanted`. None: it has not told what it
/// was compiled for.
std::optional<Result> judge_gpu_archs(const SelfReport& report, const Wanted& wanted);

}  // namespace envgen::validate
