#include "update/update.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "util/interrupt.hpp"

namespace envgen::update {
namespace {

using Clock = std::chrono::steady_clock;

Visit visit_of(const matrix::Documents& facts, const Source& source, const Run& run, bool again) {
  const auto progress = [&run, name = source.name](std::string_view what, std::size_t done, std::size_t all) {
    run.progress(fmt::format("{}: {}", name, what), done, all);
  };
  return {run.client, facts, progress, run.today, run.pip, again};
}

}  // namespace

bool Result::all_read() const {
  return std::none_of(sources.begin(), sources.end(), [](const SourceResult& each) { return each.error.has_value(); });
}

std::size_t Result::changes() const {
  std::size_t count = 0;
  for (const auto& each : sources) count += each.merged.changes.size();
  return count;
}

Expected<Result> read_sources(Draft& draft, std::span<const Source* const> sources, const Run& run) {
  const auto begin = Clock::now();
  Result result;
  for (const auto* source : sources) {
    auto& of_it = result.sources.emplace_back();
    of_it.source = source;
    auto visit = visit_of(draft.facts(), *source, run, false);
    const auto readings = source->read(visit);
    if (util::interrupted()) return util::fail_interrupted("interrupted before anything was written", "matrix update");
    if (!readings) {
      of_it.error = readings.error();
      continue;
    }
    auto merged = merge(draft.facts(), *readings, run.today);
    if (!merged) {
      of_it.error = merged.error();
    } else if (auto taken = draft.take(*merged); !taken) {
      of_it.error = taken.error();
    } else {
      of_it.merged = std::move(*merged);
    }
  }
  result.traffic = run.client.traffic();
  result.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  return result;
}

Expected<Result> verify_sources(const matrix::Documents& facts, std::span<const Source* const> sources, const Run& run) {
  const auto begin = Clock::now();
  Result result;
  for (const auto* source : sources) {
    auto& of_it = result.sources.emplace_back();
    of_it.source = source;
    auto visit = visit_of(facts, *source, run, true);
    const auto readings = source->read(visit);
    if (util::interrupted()) return util::fail_interrupted("interrupted", "matrix verify");
    auto compared = readings ? compare(facts, *readings, run.today) : Expected<Merged>(tl::unexpected(readings.error()));
    if (compared) {
      of_it.merged = std::move(*compared);
    } else {
      of_it.error = compared.error();
    }
  }
  result.traffic = run.client.traffic();
  result.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  return result;
}

Expected<std::vector<const Source*>> sources_named(const std::vector<std::string>& names) {
  std::vector<const Source*> all;
  std::vector<std::string_view> known;
  for (const auto& source : sources()) {
    known.push_back(source.name);
    if (names.empty() || std::find(names.begin(), names.end(), source.name) != names.end()) all.push_back(&source);
  }
  for (const auto& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    auto hints = did_you_mean(name, known, 1);
    std::string list;
    for (const auto each : known) list += fmt::format("{}{}", list.empty() ? "" : ", ", each);
    hints.push_back("the sources are " + list);
    return fail(ErrorCode::usage, fmt::format("{} is not a source", in_quotes(name)), "--source", std::move(hints));
  }
  return all;
}

}  // namespace envgen::update
