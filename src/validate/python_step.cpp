#include <fmt/format.h>

#include "model/spelling.hpp"
#include "validate/flags.hpp"
#include "validate/self_report.hpp"
#include "validate/steps.hpp"

namespace envgen::validate {
namespace {

/// The GPUs that are there, else those of the lock, else those that were named.
std::vector<GpuFacts> gpus_of(const Run& run) {
  if (!run.gpus_there.empty()) return run.gpus_there;
  std::vector<GpuFacts> gpus;
  if (const auto& asked = run.options.asked; asked && !asked->boards.empty()) {
    for (const auto& board : asked->boards) gpus.push_back({board.name, board.capability});
  } else if (run.lock != nullptr) {
    for (const auto& board : run.lock->gpus) {
      const auto capability = Capability::parse(board.capability);
      gpus.push_back({board.name, capability ? std::optional(*capability) : std::nullopt});
    }
  }
  return gpus;
}

Wanted wanted_of(const Run& run) {
  const auto& options = run.options;
  return {run.lock,
          options.asked ? &*options.asked : nullptr,
          options.matrix ? &*options.matrix : nullptr,
          gpus_of(run),
          !is_here(run),
          run.cuda_of_driver};
}

void judge_python(Run& run, const Launched& launched) {
  auto& report = run.report;
  const auto said = parse_self_report(launched.out, run.nonce);
  if (launched.end != Launched::End::done && (!said || said->doing.empty())) {
    report.results.push_back(failed("python", launched));
    return;
  }
  if (!said) {
    report.results.push_back(failed("python", launched, said.error()));
    return;
  }
  run.prefix = said->prefix;
  run.told = *said;
  for (auto& result : judge_self_report(*said, wanted_of(run), !run.gpus.none())) report.results.push_back(std::move(result));
  if (said->doing.empty()) return;
  auto result = failed("framework", launched);
  result.message = fmt::format("{}: {}", shown(said->doing), result.message);
  report.results.push_back(std::move(result));
}

}  // namespace

bool asks_for_versions(const Options& options) {
  const auto& asked = options.asked;
  return asked &&
         (asked->framework_value != resolver::no_value || asked->python_value != resolver::no_value || !asked->cuda.empty());
}

std::vector<std::string> python_arguments(const Run& run) { return {"-c", self_report_script(), run.nonce}; }

Expected<void> python_step(Run& run, Place& place) {
  if (run.python && run.python->end != Launched::End::not_there) {
    judge_python(run, *run.python);
    return {};
  }
  if (!run.python) {
    run.progress(is_here(run) ? "asking the Python" : "asking the image's Python");
    std::vector<std::string> pythons(python_names.begin(), python_names.end());
    if (!run.options.python.empty()) pythons = {run.options.python};
    for (const auto& python : pythons) {
      const auto launched = place.launch({container_flags(run), python, python_arguments(run), {}});
      if (!launched) return tl::unexpected(launched.error());
      if (launched->end == Launched::End::not_there) continue;
      judge_python(run, *launched);
      return {};
    }
  }
  run.no_python = true;
  if (!run.options.python.empty()) {
    run.report.add("python", Status::fail, fmt::format("{} is not there, or cannot be run", in_quotes(run.options.python)));
  } else if (run.lock != nullptr) {
    run.report.add("python", Status::fail, fmt::format("Python {} is locked, and not there", run.lock->python));
  } else if (asks_for_versions(run.options)) {
    run.report.add("python", Status::fail, "versions were asked for, and no Python is on PATH to tell its own");
  }
  return {};
}

}  // namespace envgen::validate
