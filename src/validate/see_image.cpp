#include <fmt/format.h>

#include "model/spelling.hpp"
#include "validate/canary.hpp"
#include "validate/steps.hpp"

namespace envgen::validate {
namespace {

/// It is no fact of the engine's, and the run ends.
bool ends_run(const Error& error) { return error.code != ErrorCode::missing; }

/// The engine that answers, cleared of what earlier runs left. None: `seen` tells why.
Expected<std::optional<container::Engine>> find_engine(const Context& context, EngineSeen& seen) {
  context.progress("querying the engine");
  auto engine = container::Engine::find(context.options.engine, context.time);
  if (engine) {
    seen = {fmt::format("{} {}", name_of(engine->kind()), visible(engine->facts().version, 100)), engine->kind(), engine->facts(),
            engine->address(), container::remove_leftovers(*engine)};
    if (seen.leftovers) return std::optional(std::move(*engine));
  } else {
    seen.leftovers = tl::unexpected(engine.error());
  }
  if (ends_run(seen.leftovers.error())) return tl::unexpected(seen.leftovers.error());
  return std::nullopt;
}

/// The namespace of the container that `--ipc=container:X` names.
std::optional<unsigned long> donor_of(const SharingFlags& sharing, const container::Engine& engine) {
  constexpr std::string_view prefix = "container:";
  if (!engine.facts().local || !sharing.ipc.starts_with(prefix)) return std::nullopt;
  const auto pid = engine.ask({"inspect", "--type", "container", "--format", "{{.State.Pid}}", sharing.ipc.substr(prefix.size())},
                              {.timeout = container::longest_answer});
  if (!pid) return std::nullopt;
  return ipc_namespace(pid->substr(0, pid->find('\n')));
}

/// What the container's IPC is compared with on an engine on another machine. One that cannot be made leaves it unknown whose it
/// is.
Expected<void> hold_ipc(const Context& context, RemoteCanary& canary, const container::Image& image,
                        const std::filesystem::path& bench) {
  if (context.time.left().count() == 0) return {};
  context.progress("creating IPC objects on the engine's machine");
  auto made = canary.make(image.id, bench);
  if (!made && ends_run(made.error())) return made;
  return {};
}

/// What is seen beside the first container, once that has started.
Expected<ImageSeen> see_the_rest(const Context& context, Place& place, const std::filesystem::path& bench,
                                 const LoaderEnvironment& loader, const FirstSeen& first, ImageSeen seen) {
  const auto* const report = first.bench.get();
  if (first.bench.launched.end != Launched::End::not_there) seen.bench = first.bench;
  auto python = python_step(context, place, seen.gpus, report, "querying the image's Python");
  if (!python) return tl::unexpected(python.error());
  seen.python = std::move(*python);
  if (seen.engine.facts.local) {
    auto mount = mount_step(context, place, bench, first);
    if (!mount) return tl::unexpected(mount.error());
    seen.mount = std::move(*mount);
  }
  auto files = files_step(context, place, bench, first.bench, seen.gpus, loader);
  if (!files) return tl::unexpected(files.error());
  seen.files = std::move(*files);
  if (seen.gpus.none() || report == nullptr) return seen;
  auto ways = gpu_ways_step(context, place, bench, seen.engine, seen.gpus, *report);
  if (!ways) return tl::unexpected(ways.error());
  seen.ways = std::move(*ways);
  return seen;
}

Expected<ImageSeen> see_programs(const Context& context, const container::Engine& engine, Launcher& launcher,
                                 std::vector<container::Left>& left, ImageSeen seen) {
  const auto& image = **seen.image;
  const auto bench = context.options.bench(image.architecture);
  if (!bench) {
    seen.no_bench = bench.error();
    auto python = python_step(context, launcher, seen.gpus, nullptr, "querying the image's Python");
    if (!python) return tl::unexpected(python.error());
    seen.python = std::move(*python);
    return seen;
  }
  const bool local = engine.facts().local;
  const auto donor = donor_of(context.options.sharing, engine);
  RemoteCanary canary(engine, left, context.options.timeout + std::chrono::minutes(1));
  if (!local) {
    if (auto held = hold_ipc(context, canary, image, *bench); !held) return tl::unexpected(held.error());
  }
  const auto loader = loader_environment(image.environment);
  const auto first = first_step(context, launcher, *bench, seen.gpus, loader, canary.held(), local);
  if (!first) return tl::unexpected(first.error());
  seen.start = first->bench.launched;
  seen.outside = {local || !first->held.bench_flags.empty(), first->held.secret, donor, seen.start->ipc_mode};
  return started(*seen.start) ? see_the_rest(context, launcher, *bench, loader, *first, std::move(seen)) : std::move(seen);
}

}  // namespace

Expected<ImageSeen> see_image(const Context& context, std::vector<container::Left>& left) {
  ImageSeen seen;
  const auto engine = find_engine(context, seen.engine);
  if (!engine) return tl::unexpected(engine.error());
  if (!*engine) return seen;
  seen.image = (*engine)->image(context.options.image);
  if (!*seen.image && ends_run(seen.image->error())) return tl::unexpected(seen.image->error());
  if (!*seen.image) return seen;
  auto gpus = choose_gpus(context.options, **engine);
  if (!gpus) return tl::unexpected(gpus.error());
  seen.gpus = std::move(*gpus);
  if (!seen.gpus.none()) seen.doubles = (*engine)->facts().doubles;
  Launcher launcher(**engine, (*seen.image)->id, left);
  auto all = see_programs(context, **engine, launcher, left, std::move(seen));
  if (all) all->containers = launcher.launched();
  return all;
}

}  // namespace envgen::validate
