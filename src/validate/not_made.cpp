#include <algorithm>
#include <array>

#include "validate/run.hpp"

namespace envgen::validate {

std::string why_not_made(const Run& run, const Check& check) {
  if (!run.stopped.empty()) return run.stopped;
  if (is_here(run)) {
    constexpr std::array<std::string_view, 11> of_containers{"engine",      "image",    "lock-label", "image-gate",
                                                             "start",       "gpu-cdi",  "gpu-hook",   "user",
                                                             "mount-owner", "shm-size", "removed"};
    if (std::find(of_containers.begin(), of_containers.end(), check.id) != of_containers.end())
      return "of an image and its container, and --here has none";
    if (check.id == "driver-files") return "here the driver's own libraries may lie";
  }
  if (check.id == "self-report" && run.told) return "the files were not looked at";
  const bool by_python = check.needs == Needs::python || check.id == "framework-gpu";
  if (check.needs == Needs::gpu) {
    if (run.options.profile == Profile::build) return "--profile build tries nothing that needs a GPU";
    if (run.gpus.none())
      return run.options.gpus == "none" ? "--gpus none was asked for" : "no GPU is known here (--gpus all asks for them)";
  }
  if (by_python && is_here(run)) {
    if (!run.no_python) return "the Python does not tell";
    return run.options.python.empty() ? "there is no Python on PATH" : "the Python that was named cannot be asked";
  }
  if (by_python) return run.no_python ? "the image has no Python" : "the image's Python does not tell";
  if (run.bench_reported && check.id == "second-libraries" && is_here(run)) return "where the environment lies is not told";
  if (!run.bench_reported) return "envgen-bench did not report";
  return run.options.profile == Profile::smoke ? "not of --profile smoke (full makes it)" : "envgen-bench tells nothing of it";
}

}  // namespace envgen::validate
