#pragma once

#include <string>
#include <vector>

#include "files/gpu_selection.hpp"
#include "model/environment.hpp"
#include "validate/bench_report.hpp"

/// The way to the GPUs in the order in which it breaks: device nodes, libcuda, the driver, and what CUDA counts.
namespace envgen::validate {

/// The GPUs that were asked for, and how they were.
struct AskedGpus {
  const files::GpuSelection& selection;
  const std::string& text;  ///< `--gpus` takes it
};

/// The checks device-nodes, libcuda, driver and gpu, for a run in which a GPU was asked for. `probe`: the row of that name.
/// `lock`: whose drivers the one that is there is compared with; null: none.
std::vector<Result> judge_gpu_access(const Result& probe, const BenchReport& bench, const AskedGpus& asked,
                                     const Environment* lock);

}  // namespace envgen::validate
