#include <algorithm>
#include <array>

#include "validate/judge.hpp"

namespace envgen::validate {
namespace {

/// `silent`: why Python tells nothing of it.
std::string why(const Options& options, const ProgramsSeen& seen, const Check& check, const char* silent) {
  if (check.id == "self-report" && seen.self_report() != nullptr) return "the files were not examined";
  if (check.needs == Needs::gpu) {
    if (options.profile == Profile::build) return "--profile build runs nothing that needs a GPU";
    if (seen.gpus.none())
      return options.gpus == "none" ? "--gpus none was requested" : "no GPU was found here (to request GPUs anyway: --gpus all)";
  }
  if (check.needs == Needs::python || check.id == "framework-gpu") return silent;
  if (seen.bench_report() == nullptr) return "envgen-bench did not report";
  return options.profile == Profile::smoke ? "not part of --profile smoke (full runs it)" : "envgen-bench does not report it";
}

}  // namespace

std::string why_not_made(const Options& options, const ImageSeen& seen, const Check& check) {
  if (!seen.engine.leftovers) return "no engine responds";
  if (!seen.image || !*seen.image) return "there is no image";
  if (seen.start && !started(*seen.start)) return "the container did not start";
  return why(options, seen, check, seen.no_python() ? "the image has no Python" : "the image's Python does not report it");
}

std::string why_not_made_here(const Options& options, const ProgramsSeen& seen, const Check& check) {
  constexpr std::array<std::string_view, 11> of_containers{"engine",   "image", "lock-label",  "image-gate", "start",  "gpu-cdi",
                                                           "gpu-hook", "user",  "mount-owner", "shm-size",   "removed"};
  if (std::find(of_containers.begin(), of_containers.end(), check.id) != of_containers.end())
    return "it needs an image and a container, and --here has neither";
  if (check.id == "driver-files") return "driver libraries are expected outside an image";
  if (check.id == "second-libraries" && seen.bench_report() != nullptr) return "the environment's location is unknown";
  return why(options, seen, check,
             !seen.no_python()        ? "Python does not report it"
             : options.python.empty() ? "there is no Python on PATH"
                                      : "the named Python cannot be queried");
}

}  // namespace envgen::validate
