#include "validate/validate.hpp"

#include <array>
#include <ctime>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "util/interrupt.hpp"
#include "validate/canary.hpp"
#include "validate/flags.hpp"
#include "validate/here.hpp"
#include "validate/remote_canary.hpp"
#include "validate/steps.hpp"

namespace envgen::validate {
namespace {

constexpr std::array<std::string_view, 3> profile_names{"build", "smoke", "full"};

/// The namespace of the container that `--ipc=container:X` names.
std::optional<unsigned long> donor_of(const SharingFlags& sharing, const container::Engine& engine) {
  constexpr std::string_view prefix = "container:";
  if (!engine.facts().local || !sharing.ipc.starts_with(prefix)) return std::nullopt;
  const auto pid = engine.ask({"inspect", "--type", "container", "--format", "{{.State.Pid}}", sharing.ipc.substr(prefix.size())},
                              {.timeout = container::longest_answer});
  if (!pid) return std::nullopt;
  return ipc_namespace(pid->substr(0, pid->find('\n')));
}

void image_gate(Run& run, const container::Image& image) {
  auto result = judge_image_gate(image, run.local ? run.options.driver : std::nullopt);
  if (result.status == Status::fail && run.gpus.none()) result.status = Status::warn;  // without a GPU nobody asks
  run.report.results.push_back(std::move(result));
}

void tell_removed(Run& run, const Launcher& launcher) {
  if (launcher.launched() == 0) return;
  if (run.left.empty()) {
    run.report.add(
        "removed", Status::pass,
        launcher.launched() == 1 ? "the container was removed" : fmt::format("{} containers, each removed", launcher.launched()));
    return;
  }
  run.report.add("removed", Status::fail, container::describe(run.left));
}

/// What the container's IPC is compared with on an engine of another machine. One that cannot be made leaves it unknown whose it
/// is.
Expected<void> make_remote_canary(Run& run, RemoteCanary& canary, const container::Image& image,
                                  const std::filesystem::path& bench) {
  if (run.local || run.time.left().count() == 0) return {};
  run.progress("holding IPC on the engine's machine");
  const auto made = canary.make(image.id, bench);
  if (!made && made.error().code != ErrorCode::missing) return tl::unexpected(made.error());
  run.held = canary.held();
  return {};
}

Expected<void> in_containers(Run& run, const container::Engine& engine, const container::Image& image, Launcher& launcher) {
  const auto bench = run.options.bench(image.architecture);
  if (!bench) {
    no_bench_step(run, bench.error());
    return python_step(run, launcher);
  }
  run.donor = donor_of(run.options.sharing, engine);
  RemoteCanary canary(engine, run.left, run.options.timeout + std::chrono::minutes(1));
  if (auto made = make_remote_canary(run, canary, image, *bench); !made) return made;
  run.in_one = true;
  if (auto ran = bench_step(run, launcher, *bench); !ran) return ran;
  if (!run.started) return {};
  if (auto ran = python_step(run, launcher); !ran) return ran;
  if (auto ran = mount_step(run, launcher, *bench); !ran) return ran;
  if (auto ran = files_step(run, launcher, *bench); !ran) return ran;
  return gpu_ways_step(run, engine, launcher, *bench);
}

Expected<void> go(Run& run) {
  run.progress("asking the engine");
  auto engine = engine_step(run);
  if (!engine) return tl::unexpected(engine.error());
  if (!*engine) return {};
  run.local = (*engine)->facts().local;
  auto image = image_step(run, **engine);
  if (!image) return tl::unexpected(image.error());
  if (!*image) return {};
  auto chosen = choose_gpus(run.options, **engine, run.report.gpus);
  if (!chosen) return tl::unexpected(chosen.error());
  run.gpus = std::move(*chosen);
  if (!run.gpus.none()) run.report.add_doubles((*engine)->facts().doubles);
  image_gate(run, **image);
  Launcher launcher(**engine, (*image)->id, run.left);
  auto gone = in_containers(run, **engine, **image, launcher);
  tell_removed(run, launcher);
  return gone;
}

/// Nobody who wrote an image can have known it.
std::string made_nonce() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

/// `2026-11-22T10:00:00Z`
std::string utc(std::time_t time) {
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

std::string_view name_of(Profile profile) { return profile_names[static_cast<std::size_t>(profile)]; }

Expected<Report> run(const Options& options, const std::function<void(std::string_view)>& progress) {
  if (auto checked = check_flags(options); !checked) return tl::unexpected(checked.error());
  const auto began = std::chrono::steady_clock::now();
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const util::InterruptScope scope;  // containers, segments and folders are taken away first
  Run run{options, progress};
  run.nonce = made_nonce();
  run.report.image = is_here(run) ? "this environment" : options.image;
  run.report.profile = name_of(options.profile);
  run.report.started = utc(now);
  auto gone = is_here(run) ? go_here(run) : go(run);
  if (gone && util::interrupted()) gone = fail(ErrorCode::interrupted, "interrupted");  // when nothing asked any more
  if (!gone) {
    if (!run.left.empty()) gone.error().hints.push_back(container::describe(run.left));
    return tl::unexpected(gone.error());
  }
  run.report.skip_rest([&](const Check& check) { return why_not_made(run, check); });
  run.report.require(options.require);
  run.report.sort();
  run.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return std::move(run.report);
}

}  // namespace envgen::validate
