#include "update/update.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "util/interrupt.hpp"

namespace envgen::update {
namespace {

using Clock = std::chrono::steady_clock;

Visit visit_of(const matrix::Documents& facts, const Source& source, const Run& run, bool again) {
  const auto progress = [&run, name = source.name](std::string_view what, std::size_t done, std::size_t all) {
    run.progress(fmt::format("{}: {}", name, what), done, all);
  };
  const auto mirror = run.mirrors.find(source.name);
  return {run.client, facts, progress, run.today, run.pip, again, mirror == run.mirrors.end() ? std::string() : mirror->second};
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

namespace {

const Source* source_named(std::string_view name) {
  const auto all = sources();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Source& source) { return source.name == name; });
  return found == all.end() ? nullptr : &*found;
}

tl::unexpected<Error> no_source(const std::string& name, std::string_view option) {
  std::vector<std::string_view> known;
  for (const auto& source : sources()) known.push_back(source.name);
  auto hints = did_you_mean(name, known, 1);
  hints.push_back(fmt::format("the sources are {}", fmt::join(known, ", ")));
  return fail(ErrorCode::usage, fmt::format("{} is not a source", in_quotes(name)), std::string(option), std::move(hints));
}

}  // namespace

Expected<std::vector<const Source*>> sources_named(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (source_named(name) == nullptr) return no_source(name, "--source");
  }
  std::vector<const Source*> all;
  for (const auto& source : sources()) {
    if (names.empty() || std::find(names.begin(), names.end(), source.name) != names.end()) all.push_back(&source);
  }
  return all;
}

Expected<std::map<std::string, std::string, std::less<>>> mirrors_named(const std::vector<std::string>& texts) {
  const auto wrong = [](std::string message, std::vector<std::string> hints) {
    return fail(ErrorCode::usage, std::move(message), "--mirror", std::move(hints));
  };
  std::map<std::string, std::string, std::less<>> mirrors;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    auto url = equals == std::string::npos ? std::string() : text.substr(equals + 1);
    const auto* source = source_named(name);
    if (source == nullptr) return no_source(name, "--mirror");
    if (!source->has_mirrors)
      return wrong(fmt::format("{} is the index that pip is configured with", name), {"pip config set global.index-url URL"});
    if (!url.starts_with("https://") && !url.starts_with("http://"))
      return wrong(fmt::format("the address of {} is neither http:// nor https://", name),
                   {name + "=https://mirror.example/path"});
    if (url.find_first_of("?#") != std::string::npos)
      return wrong(fmt::format("the address of {} contains ? or #, but paths are appended to it", name),
                   {name + "=https://mirror.example/path"});
    if (!url.ends_with('/')) url += '/';
    if (!mirrors.try_emplace(name, std::move(url)).second) return wrong(fmt::format("{} has two mirrors", name), {});
  }
  return mirrors;
}

}  // namespace envgen::update
