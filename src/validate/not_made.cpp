#include <algorithm>
#include <array>

#include "validate/judge.hpp"

namespace envgen::validate {
namespace {

/// `silent`: why Python tells nothing of it.
std::string why(const Options& options, const ProgramsSeen& seen, const Check& check, const char* silent) {
  if (check.id == "self-report" && seen.self_report() != nullptr) return "the files were not looked at";
  if (check.needs == Needs::gpu) {
    if (options.profile == Profile::build) return "--profile build tries nothing that needs a GPU";
    if (seen.gpus.none())
      return options.gpus == "none" ? "--gpus none was asked for" : "no GPU is known here (--gpus all asks for them)";
  }
  if (check.needs == Needs::python || check.id == "framework-gpu") return silent;
  if (seen.bench_report() == nullptr) return "envgen-bench did not report";
  return options.profile == Profile::smoke ? "not of --profile smoke (full makes it)" : "envgen-bench tells nothing of it";
}

}  // namespace

std::string why_not_made(const Options& options, const ImageSeen& seen, const Check& check) {
  if (!seen.engine.leftovers) return "no engine answers";
  if (!seen.image || !*seen.image) return "there is no image";
  if (seen.start && !started(*seen.start)) return "the container did not start";
  return why(options, seen, check, seen.no_python() ? "the image has no Python" : "the image's Python does not tell");
}

std::string why_not_made_here(const Options& options, const ProgramsSeen& seen, const Check& check) {
  constexpr std::array<std::string_view, 11> of_containers{"engine",   "image", "lock-label",  "image-gate", "start",  "gpu-cdi",
                                                           "gpu-hook", "user",  "mount-owner", "shm-size",   "removed"};
  if (std::find(of_containers.begin(), of_containers.end(), check.id) != of_containers.end())
    return "of an image and its container, and --here has none";
  if (check.id == "driver-files") return "here the driver's own libraries may lie";
  if (check.id == "second-libraries" && seen.bench_report() != nullptr) return "where the environment lies is not told";
  return why(options, seen, check,
             !seen.no_python()        ? "the Python does not tell"
             : options.python.empty() ? "there is no Python on PATH"
                                      : "the Python that was named cannot be asked");
}

}  // namespace envgen::validate
