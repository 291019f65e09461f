#include <fmt/format.h>

#include "validate/flags.hpp"
#include "validate/self_report.hpp"
#include "validate/steps.hpp"
#include "validate/words.hpp"

namespace envgen::validate {
namespace {

void judge_python(Run& run, const Launched& launched) {
  auto& report = run.report;
  if (launched.end != Launched::End::done) {
    report.add("python", Status::fail, with_words(launched.why, launched.words)).diagnosis = recognised(launched.words);
    return;
  }
  const auto said = parse_self_report(launched.out);
  if (!said) {
    report
        .add("python", Status::fail,
             with_words(fmt::format("{} (exit status {}): {}", said.error().origin, launched.exit_status, said.error().message),
                        launched.words))
        .diagnosis = recognised(launched.words);
    return;
  }
  for (auto& result : judge_self_report(*said, run.lock, !run.gpus.none())) report.results.push_back(std::move(result));
}

}  // namespace

std::vector<std::string> python_arguments() { return {"-c", self_report_script()}; }

Expected<void> python_step(Run& run, Place& place) {
  if (run.python && run.python->end != Launched::End::not_there) {
    judge_python(run, *run.python);
    return {};
  }
  if (!run.python) {
    run.progress("asking the image's Python");
    for (const auto* python : python_names) {
      const auto launched = place.launch({container_flags(run), python, python_arguments(), {}});
      if (!launched) return tl::unexpected(launched.error());
      if (launched->end == Launched::End::not_there) continue;
      judge_python(run, *launched);
      return {};
    }
  }
  run.no_python = true;
  if (run.lock != nullptr)
    run.report.add("python", Status::fail, fmt::format("Python {} is locked, and not there", run.lock->python));
  return {};
}

}  // namespace envgen::validate
