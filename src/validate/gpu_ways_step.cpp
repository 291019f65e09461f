#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "validate/bench_report.hpp"
#include "validate/gpu_ways.hpp"
#include "validate/steps.hpp"
#include "validate/words.hpp"

namespace envgen::validate {
namespace {

using Words = std::vector<std::string>;

/// The way by which the run's own container got its GPUs, or was to get them. None: it cannot be told.
std::optional<GpuWay> way_of(const Run& run, const container::Engine& engine) {
  const auto asked = only_way(engine.kind(), engine.facts(), run.gpus.by_cdi, run.options.runtime);
  if (!run.gpu_way) return asked;
  // An image's own NVIDIA_VISIBLE_DEVICES reads as the hook's where a CDI spec leaves it alone.
  if (asked == GpuWay::cdi && run.gpu_way == GpuWay::hook) return std::nullopt;
  return run.gpu_way;
}

Result judge_own(const Run& run, GpuWay way) {
  Result result{std::string(check_of(way)), Status::pass, "the run's own GPUs came by it"};
  if (!run.gpus_there.empty()) return result;
  result.status = Status::fail;
  result.message = "the run asked for its GPUs by it, and CUDA sees none (check gpu)";
  return result;
}

/// What `driver=` names is registered where its program is on the daemon's PATH.
bool lacks_the_way(const Words& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& line) { return line.find("could not select device driver") != std::string::npos; });
}

Result not_working(GpuWay way, const std::string& why, const diagnosis::Diagnosis* diagnosis) {
  Result result{std::string(check_of(way)), Status::fail, why};
  result.diagnosis = diagnosis;
  return result;
}

Result judge_bench(GpuWay way, const BenchReport& bench) {
  const auto row = [&](std::string_view test, bool (*which)(const Result&)) {
    const auto found = std::find_if(bench.rows.begin(), bench.rows.end(),
                                    [&](const Result& result) { return result.check == test && which(result); });
    return found == bench.rows.end() ? nullptr : &*found;
  };
  const auto any = [](const Result&) { return true; };
  const auto* const probe = row("probe", any);
  if (!bench.gpu_present || probe == nullptr)
    return not_working(way, with_words("CUDA sees no GPU", probe == nullptr ? Words{} : Words{probe->message}),
                       probe == nullptr ? nullptr : probe->diagnosis);
  if (const auto came = injected_by(probe->evidence, true); came && *came != way)
    return {std::string(check_of(way)), Status::unknown,
            fmt::format("GPUs came, and NVIDIA_VISIBLE_DEVICES is as the other way ({}) leaves it", name_of(*came))};
  if (const auto* const broken = row("kernel", [](const Result& result) { return result.status == Status::fail; }))
    return not_working(way, "no kernel computes: " + broken->message, broken->diagnosis);
  if (row("kernel", [](const Result& result) { return result.status == Status::pass; }) == nullptr)
    return {std::string(check_of(way)), Status::unknown, "GPUs came, and no kernel was run"};
  return {std::string(check_of(way)), Status::pass, "a kernel computes"};
}

Result judge(Run& run, GpuWay way, const Launched& launched) {
  if (launched.end != Launched::End::done) {
    auto result = failed(check_of(way), launched);
    if (lacks_the_way(launched.words)) result.status = Status::skip;
    return result;
  }
  const auto bench = bench_report_of(launched, run.nonce);
  if (!bench) return failed(check_of(way), launched, bench.error());
  run.report.add_doubles(bench->doubles);
  return judge_bench(way, *bench);
}

Expected<Result> try_way(Run& run, Place& place, const std::filesystem::path& bench, GpuWay way, const Words& flags) {
  run.progress(fmt::format("trying the way to the GPUs by {}", name_of(way)));
  auto words = flags;
  words.emplace_back("--network=none");
  Program program{words, bench_in_container, bench_arguments(run, {"--tests=probe,kernel"}), bench};
  program.looks_for_libraries = true;
  const auto launched = place.launch(program);
  if (!launched) return tl::unexpected(launched.error());
  auto result = judge(run, way, *launched);
  result.message = fmt::format("{}: {}", fmt::join(flags, " "), result.message);
  result.evidence = {{"flags", flags}, {"words", launched->words}};
  const auto& required = run.options.require;
  if (result.status == Status::fail && std::find(required.begin(), required.end(), result.check) == required.end())
    result.status = Status::warn;  // the run itself does not go that way
  return result;
}

}  // namespace

Expected<void> gpu_ways_step(Run& run, const container::Engine& engine, Place& place, const std::filesystem::path& bench) {
  if (run.gpus.none() || !run.bench_reported) return {};
  const auto own = way_of(run, engine);
  for (const auto way : {GpuWay::cdi, GpuWay::hook}) {
    if (way == own) {
      run.report.results.push_back(judge_own(run, way));
      continue;
    }
    const auto flags = forced_flags(way, engine.kind(), engine.facts(), run.gpus.selection);
    if (!flags) {
      run.report.add(check_of(way), Status::skip, flags.error().message);
      continue;
    }
    auto result = try_way(run, place, bench, way, *flags);
    if (!result) return tl::unexpected(result.error());
    run.report.results.push_back(std::move(*result));
  }
  return {};
}

}  // namespace envgen::validate
