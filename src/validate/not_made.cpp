#include "validate/run.hpp"

namespace envgen::validate {

std::string why_not_made(const Run& run, const Check& check) {
  if (!run.stopped.empty()) return run.stopped;
  const bool by_python = check.needs == Needs::python || check.id == "framework-gpu";
  if (check.needs == Needs::gpu) {
    if (run.options.profile == Profile::build) return "--profile build tries nothing that needs a GPU";
    if (run.gpus.none())
      return run.options.gpus == "none" ? "--gpus none was asked for" : "no GPU is known here (--gpus all asks for them)";
  }
  if (by_python) return run.no_python ? "the image has no Python" : "the image's Python does not tell";
  if (!run.bench_reported) return "envgen-bench did not report";
  return run.options.profile == Profile::smoke ? "not of --profile smoke (full makes it)" : "envgen-bench tells nothing of it";
}

}  // namespace envgen::validate
