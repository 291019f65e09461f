#include <fmt/format.h>
#include <fmt/ranges.h>

#include "container/container.hpp"
#include "model/spelling.hpp"
#include "validate/steps.hpp"
#include "validate/words.hpp"

namespace envgen::validate {
namespace {

void tell_engine(Run& run, const container::Engine& engine, const container::Leftovers& leftovers) {
  const auto& facts = engine.facts();
  auto message = run.report.engine + " answers";
  if (!facts.local) message += ", on another machine than this";
  const auto& removed = leftovers.removed;
  if (!removed.empty()) message += fmt::format("; removed {} container(s) that an earlier run had left", removed.size());
  if (!leftovers.left.empty()) message += fmt::format("; of an earlier run, {}", container::describe(leftovers.left));
  auto& result = run.report.add("engine", leftovers.left.empty() ? Status::pass : Status::warn, std::move(message));
  result.evidence = {{"kind", name_of(engine.kind())}, {"version", facts.version},   {"address", engine.address()},
                     {"local", facts.local},           {"runtimes", facts.runtimes}, {"cdi_devices", facts.cdi_devices},
                     {"leftovers_removed", removed}};
}

/// The engine, told and cleared. Errors (missing): there is none, or it does not answer in time.
Expected<container::Engine> find_engine(Run& run) {
  auto engine = container::Engine::find(run.options.engine, run.time);
  if (!engine) return engine;
  run.report.engine = fmt::format("{} {}", name_of(engine->kind()), visible(engine->facts().version, 100));
  const auto leftovers = container::remove_leftovers(*engine);
  if (!leftovers) return tl::unexpected(leftovers.error());
  tell_engine(run, *engine, *leftovers);
  return engine;
}

}  // namespace

Expected<std::optional<container::Engine>> engine_step(Run& run) {
  auto engine = find_engine(run);
  if (engine) return std::optional(std::move(*engine));
  const auto& error = engine.error();
  if (error.code != ErrorCode::missing) return tl::unexpected(error);
  auto& result = run.report.add("engine", Status::fail, with_words(error.message, error.hints));
  result.diagnosis = recognised({error.message, fmt::format("{}", fmt::join(error.hints, "\n"))});
  result.prerequisite = true;
  run.stopped = "no engine answers";
  return std::nullopt;
}

}  // namespace envgen::validate
