#include <fmt/format.h>

#include "validate/steps.hpp"

namespace envgen::validate {

Expected<std::vector<WaySeen>> gpu_ways_step(const Context& context, Place& place, const std::filesystem::path& bench,
                                             const EngineSeen& engine, const ChosenGpus& gpus, const BenchReport& first) {
  const auto own = way_of(only_way(engine.kind, engine.facts, gpus.by_cdi, context.options.runtime), first);
  std::vector<WaySeen> ways;
  for (const auto way : {GpuWay::cdi, GpuWay::hook}) {
    auto& seen = ways.emplace_back();
    seen.way = way;
    seen.own = way == own;
    if (seen.own) continue;
    seen.flags = forced_flags(way, engine.kind, engine.facts, gpus.selection);
    if (!seen.flags) continue;
    context.progress(fmt::format("trying GPU access through {}", name_of(way)));
    auto words = *seen.flags;
    words.emplace_back("--network=none");
    auto program = bench_program(context, bench, std::move(words), {"--tests=probe,kernel"});
    program.looks_for_libraries = true;
    auto told = run_bench(context, place, program);
    if (!told) return tl::unexpected(told.error());
    seen.bench = std::move(*told);
  }
  return ways;
}

}  // namespace envgen::validate
