#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "validate/agreement.hpp"
#include "validate/gpu_access.hpp"
#include "validate/judge.hpp"

namespace envgen::validate {
namespace {

/// The check bench.
Result judge_bench(const BenchTold& told) {
  const auto is = [](Status status, std::string message) { return made("bench", status, std::move(message)); };
  if (told.launched.end == Launched::End::not_there)
    return is(Status::fail, with_words("envgen-bench does not run here", told.launched.words));
  const auto* const bench = told.get();
  if (bench == nullptr) return failed("bench", told);
  if (bench->interrupted) return is(Status::fail, "envgen-bench was interrupted");
  if (bench->out_of_time)
    return is(
        Status::fail,
        fmt::format("envgen-bench ran out of time after {:.0f} s: not every test ran (--timeout gives it more)", bench->seconds));
  auto result = is(Status::pass, fmt::format("envgen-bench reports {} tests", bench->rows.size()));
  result.evidence = {{"seconds", bench->seconds}};
  return result;
}

/// The checks of the tests of envgen-bench.
std::vector<Result> judge_tests(const BenchReport& bench, const ChosenGpus& gpus, const SharingFlags& sharing,
                                const Environment* lock, const OutsideIpc* outside) {
  std::vector<Result> results;
  for (const auto& row : bench.rows) {
    if (row.check == "probe") {
      if (gpus.none()) continue;
      for (auto& result : judge_gpu_access(row, bench, {gpus.selection, gpus.said}, lock)) results.push_back(std::move(result));
    } else if (row.check == "ipc") {
      results.push_back(outside == nullptr ? judge_ipc_here(row) : judge_ipc(row, sharing, *outside));
      if (outside != nullptr) results.push_back(judge_shm_size(row, sharing));
    } else if (row.check == "shm") {
      results.push_back(judge_shm(row, sharing));
    } else if (!gpus.none() && find_check(row.check.substr(0, row.check.find('.'))) != nullptr) {
      results.push_back(row);
    }
  }
  return results;
}

/// The GPUs that are there, else those that were named, else those of the lock.
std::vector<GpuFacts> gpus_of(const BenchReport* bench, const Options& options, const Environment* lock) {
  if (bench != nullptr && !bench->gpus.empty()) return bench->gpus;
  std::vector<GpuFacts> gpus;
  if (const auto& asked = options.asked; asked && !asked->boards.empty()) {
    for (const auto& board : asked->boards) gpus.push_back({board.name, board.capability});
  } else if (lock != nullptr) {
    for (const auto& board : lock->gpus) gpus.push_back({board.name, board.capability});
  }
  return gpus;
}

/// There is no Python. None: and none was wanted.
std::optional<Result> judge_no_python(const Options& options, const Environment* lock) {
  const auto fails = [](std::string why) { return made("python", Status::fail, std::move(why)); };
  if (!options.python.empty()) return fails(fmt::format("{} does not exist or cannot be run", in_quotes(options.python)));
  if (lock != nullptr) return fails(fmt::format("Python {} is locked but was not found", lock->python));
  if (asks_for_versions(options)) return fails("versions were requested, but there is no Python on PATH to check");
  return std::nullopt;
}

/// What Python told, beside the files that were found: a word of it that they contradict proves nothing.
std::vector<Result> judge_told(const PythonTold& python, const std::optional<FilesSeen>& files, const Wanted& wanted,
                               bool gpu_asked) {
  const auto& said = *python.report;
  auto results = judge_self_report(said, wanted, gpu_asked);
  if (!said.doing.empty()) {
    auto& result = results.emplace_back(failed("framework", python.launched));
    result.message = fmt::format("{}: {}", shown(said.doing), result.message);
  }
  if (!files) return results;
  auto agreement = files->folders.empty()
                       ? made("self-report", Status::unknown, "Python's report could not be compared with the image's files")
                       : judge_agreement(said, all_of(*files));
  if (agreement.status == Status::fail) doubt(results);
  results.push_back(std::move(agreement));
  return results;
}

}  // namespace

bool asks_for_versions(const Options& options) {
  const auto& asked = options.asked;
  return asked &&
         (asked->framework_value != resolver::no_value || asked->python_value != resolver::no_value || !asked->cuda.empty());
}

Report judge_programs(const Options& options, const ProgramsSeen& seen, const LockedTo* locked, const OutsideIpc* outside) {
  Report report;
  report.profile = name_of(options.profile);
  report.gpus = seen.gpus.said;
  report.doubles = seen.doubles;
  if (locked != nullptr) report.lock = locked->file;
  const auto* const lock = locked == nullptr ? nullptr : &locked->environment;
  if (const auto& why = seen.no_bench)
    report.add("bench", Status::fail, fmt::format("{} ({})", why->message, fmt::join(why->hints, "; "))).prerequisite = true;
  if (seen.bench) report.add({judge_bench(*seen.bench)});
  const auto* const bench = seen.bench_report();
  if (bench != nullptr) {
    report.add_doubles(bench->doubles);
    report.machine = bench->machine;
    report.add(judge_tests(*bench, seen.gpus, options.sharing, lock, outside));
  }
  if (seen.no_python()) {
    if (auto result = judge_no_python(options, lock)) report.add({std::move(*result)});
  } else if (seen.python && !seen.python->report) {
    report.add({failed("python", *seen.python)});
  } else if (seen.python) {
    const Wanted wanted{lock,
                        options.asked ? &*options.asked : nullptr,
                        options.matrix ? &*options.matrix : nullptr,
                        gpus_of(bench, options, lock),
                        outside != nullptr,
                        bench != nullptr && bench->driver ? bench->driver->cuda : std::nullopt};
    report.add(judge_told(*seen.python, seen.files, wanted, !seen.gpus.none()));
  }
  return report;
}

}  // namespace envgen::validate
