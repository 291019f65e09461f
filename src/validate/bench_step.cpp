#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "validate/bench_report.hpp"
#include "validate/bench_time.hpp"
#include "validate/canary.hpp"
#include "validate/flags.hpp"
#include "validate/gpu_access.hpp"
#include "validate/steps.hpp"
#include "validate/words.hpp"

namespace envgen::validate {
namespace {

/// Failures of a start that the image or its user is to blame for, not the machine.
constexpr std::array<std::string_view, 4> not_of_the_machine{"image-needs-newer-driver", "driver-in-image", "ipc-not-shareable",
                                                             "podman-shm-with-host-ipc"};

Program program_of(const Run& run, const std::filesystem::path& file) {
  const auto* const profile = run.options.profile == Profile::full ? "--profile=full" : "--profile=smoke";
  Program program{container_flags(run), bench_in_container, bench_arguments(run, {profile}), file};
  program.looks_for_libraries = !run.gpus.none();
  if (const auto path = library_path_of(run.loader); !program.looks_for_libraries && !path.empty())
    program.arguments.push_back("--library-path=" + path);
  if (run.options.profile == Profile::build) program.arguments.emplace_back("--tests=probe,ipc,shm,image-files");
  if (run.in_one && run.gpus.none()) program.arguments.emplace_back("--files-of=/");
  program.arguments.insert(program.arguments.end(), run.held.bench_flags.begin(), run.held.bench_flags.end());
  return program;
}

/// Also what the other steps ask for, so that theirs need no container.
void add_other_steps(Run& run, Program& program) {
  for (const auto* python : python_names) program.arguments.push_back(fmt::format("--then={}", python));
  for (const auto& [name, value] : run.loader) program.arguments.push_back(fmt::format("--then-environment={}={}", name, value));
  for (const auto& argument : python_arguments(run)) program.arguments.push_back(fmt::format("--then-argument={}", argument));
  if (!run.mount) return;
  program.flags.push_back(mount_flag(*run.mount));
  program.arguments.push_back(fmt::format("--touch={}/{}", mount_in_container, written_file));
}

/// Our folder, which the engine does not know or cannot mount, is no failure of the flags that were asked for. Its names on both
/// sides begin alike.
bool misses_our_folder(const Run& run, const Launched& launched) {
  if (launched.end != Launched::End::refused || !run.mount) return false;
  return std::any_of(launched.words.begin(), launched.words.end(),
                     [&](const auto& line) { return line.find(mount_in_container) != std::string::npos; });
}

Expected<Launched> launch_bench(Run& run, Place& place, const std::filesystem::path& file) {
  auto program = program_of(run, file);
  if (!run.in_one) return place.launch(program);
  program.arguments.emplace_back("--progress");
  program.hears = [&](std::string_view test) { run.progress(fmt::format("envgen-bench in the container: {}", test)); };
  if (run.local) {
    if (auto folder = mount_folder()) run.mount.emplace(std::move(*folder));  // else mount_step says why
  }
  const auto alone = program;
  add_other_steps(run, program);
  auto launched = place.launch(program);
  if (!launched || !misses_our_folder(run, *launched)) return launched;
  run.mount.reset();
  return place.launch(alone);
}

void take_other_steps(Run& run, const BenchReport& bench) {
  run.python = bench.then;
  if (run.gpus.none()) run.files = image_files_of(bench);
  take_written(run, bench);
}

/// False: the program did not run.
bool judge_start(Run& run, const Launched& launched) {
  using End = Launched::End;
  if (is_here(run)) {
    if (launched.end != End::not_there) return true;
    run.report.add("bench", Status::fail, with_words("envgen-bench does not run here", launched.words));
    return false;
  }
  const auto flags = container_flags(run);
  if (launched.too_late) {
    run.report.add("start", Status::fail, "the engine left no time to start it (--timeout gives more)").prerequisite = true;
    run.stopped = "the container did not start";
    return false;
  }
  if (launched.end == End::refused) {
    auto result = failed("start", launched);
    result.evidence = {{"flags", flags}, {"words", launched.words}};
    result.prerequisite =
        launched.silent || (result.diagnosis != nullptr && std::find(not_of_the_machine.begin(), not_of_the_machine.end(),
                                                                     result.diagnosis->id) == not_of_the_machine.end());
    run.report.results.push_back(std::move(result));
    run.stopped = "the container did not start";
    return false;
  }
  run.started = true;
  auto& result = run.report.add("start", Status::pass, fmt::format("started with {}", fmt::join(flags, " ")));
  result.evidence = {{"flags", flags}};
  if (launched.end != End::not_there) return true;
  result.status = Status::unknown;
  result.message = "the container was made, and envgen-bench did not start in it";
  auto& bench =
      run.report.add("bench", Status::fail,
                     with_words("envgen-bench does not run in the image, which needs a glibc for its processor", launched.words));
  bench.diagnosis = recognised(launched.words);
  return false;
}

void take_rows(Run& run, const BenchReport& bench, const std::string& ipc_mode) {
  const auto& sharing = run.options.sharing;
  auto& results = run.report.results;
  for (const auto& row : bench.rows) {
    if (row.check == "probe") {
      if (run.gpus.none()) continue;
      run.gpu_way = injected_by(row.evidence, bench.gpu_present);
      for (auto& result : judge_gpu_access(row, bench, {run.gpus.selection, run.report.gpus}, run.lock))
        results.push_back(std::move(result));
    } else if (row.check == "ipc") {
      const OutsideIpc outside{run.local || !run.held.bench_flags.empty(), run.held.secret, run.donor, ipc_mode};
      results.push_back(is_here(run) ? judge_ipc_here(row) : judge_ipc(row, sharing, outside));
      if (!is_here(run)) results.push_back(judge_shm_size(row, sharing));
    } else if (row.check == "shm") {
      results.push_back(judge_shm(row, sharing));
    } else if (!run.gpus.none() && find_check(row.check.substr(0, row.check.find('.'))) != nullptr) {
      results.push_back(row);
    }
  }
}

}  // namespace

std::vector<std::string> bench_arguments(const Run& run, std::vector<std::string> more) {
  std::vector<std::string> arguments{"--format=json", "--report-nonce=" + run.nonce};
  for (auto& flag : bench_time(run.options.timeout, run.time.left(), run.options.profile)) arguments.push_back(std::move(flag));
  for (auto& argument : more) arguments.push_back(std::move(argument));
  return arguments;
}

void no_bench_step(Run& run, const Error& why) {
  run.report.add("bench", Status::fail, fmt::format("{} ({})", why.message, fmt::join(why.hints, "; "))).prerequisite = true;
}

Expected<void> bench_step(Run& run, Place& place, const std::filesystem::path& file) {
  run.progress(is_here(run) ? "running envgen-bench" : "running envgen-bench in the container");
  std::optional<Canary> canary;
  if (run.local) run.held = canary.emplace().held();
  const auto launched = launch_bench(run, place, file);
  if (!launched) return tl::unexpected(launched.error());
  if (!judge_start(run, *launched)) return {};
  if (launched->end == Launched::End::failed) {
    run.report.results.push_back(failed("bench", *launched));
    return {};
  }
  const auto bench = bench_report_of(*launched, run.nonce);
  if (!bench) {
    run.report.results.push_back(failed("bench", *launched, bench.error()));
    return {};
  }
  run.bench_reported = true;
  run.gpus_there = bench->gpus;
  if (bench->driver) run.cuda_of_driver = bench->driver->cuda;
  run.report.add_doubles(bench->doubles);
  run.report.machine = bench->machine;
  if (bench->interrupted) {
    run.report.add("bench", Status::fail, "envgen-bench was interrupted");
  } else if (bench->out_of_time) {
    run.report.add("bench", Status::fail,
                   fmt::format("envgen-bench ran out of time after {:.0f} s: not every test was made (--timeout gives it more)",
                               bench->seconds));
  } else {
    run.report.add("bench", Status::pass, fmt::format("envgen-bench reports {} tests", bench->rows.size())).evidence = {
        {"seconds", bench->seconds}};
  }
  take_rows(run, *bench, launched->ipc_mode);
  take_other_steps(run, *bench);
  return {};
}

}  // namespace envgen::validate
