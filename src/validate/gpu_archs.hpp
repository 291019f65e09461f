#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/capability.hpp"
#include "validate/self_report.hpp"

namespace envgen::validate {

/// Targets of code, apart.
struct Targets {
  std::vector<Arch> sass;
  std::vector<Arch> ptx;
};

/// Of `sm_86`, `compute_90`. None: one of them is of a form that is not known.
std::optional<Targets> parse_targets(const std::vector<std::string>& flags);

/// How a GPU is told: `GeForce RTX 5090 (12.0)`.
std::string told(const GpuFacts& gpu);

/// The check gpu-archs: whether the framework's machine code or PTX runs on each GPU of `wanted`. None: it has not told what it
/// was compiled for.
std::optional<Result> judge_gpu_archs(const SelfReport& report, const Wanted& wanted);

}  // namespace envgen::validate
