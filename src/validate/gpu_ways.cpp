#include "validate/gpu_ways.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "model/version.hpp"
#include "util/json_members.hpp"
#include "validate/flags.hpp"

namespace envgen::validate {
namespace {

using container::EngineFacts;
using container::EngineKind;

constexpr Version first_with_cdi{25, 0};        // behind features.cdi of daemon.json
constexpr Version first_that_lists_cdi{28, 2};  // DiscoveredDevices
constexpr auto first_with_choice = container::first_docker_with_choice;

tl::unexpected<Error> absent(std::string why) { return fail(ErrorCode::missing, std::move(why)); }

/// CDI names no number: so many are the first ones, as they are to the hook.
std::vector<std::string> by_names(files::GpuSelection selection) {
  for (int index = 0; index < selection.count.value_or(0); ++index) selection.devices.push_back(std::to_string(index));
  selection.count.reset();
  return gpu_words(selection, true);
}

std::vector<std::string> by_driver(const files::GpuSelection& selection, std::string_view driver) {
  auto words = gpu_words(selection, false);
  words.back() += fmt::format(",driver={}", driver);
  return words;
}

Expected<std::vector<std::string>> flags_of_cdi(const EngineFacts& facts, Version release, const files::GpuSelection& selection) {
  if (release < first_with_cdi) return absent(fmt::format("docker {} does not support CDI (25.0 and later do)", release));
  if (release < first_that_lists_cdi)
    return absent(fmt::format("docker {} does not list its CDI devices (28.2 and later do); --cdi requests them", release));
  if (!facts.has_cdi_gpus()) return absent("docker found no CDI device nvidia.com/gpu");
  return release < first_with_choice ? by_names(selection) : by_driver(selection, "nvidia.cdi");
}

/// What `driver=` names is registered where its program is on the daemon's PATH.
bool lacks_the_way(const Launched& launched) {
  return std::any_of(launched.words.begin(), launched.words.end(),
                     [](const std::string& line) { return line.find("could not select device driver") != std::string::npos; });
}

Result judge_tried(GpuWay way, const BenchReport& bench) {
  const auto is = [&](Status status, std::string why) { return made(check_of(way), status, std::move(why)); };
  const auto is_broken = [&](std::string why, const Result* row) {
    auto result = is(Status::fail, std::move(why));
    if (row != nullptr) result.diagnosis = row->diagnosis;
    return result;
  };
  const auto* const probe = bench.row("probe");
  if (probe == nullptr) return is_broken("CUDA sees no GPU", nullptr);
  if (!bench.gpu_present) return is_broken("CUDA sees no GPU: " + probe->message, probe);
  if (const auto came = injected_by(probe->evidence, true); came && *came != way)
    return is(
        Status::unknown,
        fmt::format("the container got GPUs, but NVIDIA_VISIBLE_DEVICES is set as the other way ({}) sets it", name_of(*came)));
  if (const auto* const broken = bench.row("kernel", Status::fail))
    return is_broken("no kernel ran correctly: " + broken->message, broken);
  if (bench.row("kernel", Status::pass) == nullptr) return is(Status::unknown, "the container got GPUs, but no kernel was run");
  return is(Status::pass, "a kernel ran correctly");
}

}  // namespace

std::string_view name_of(GpuWay way) { return way == GpuWay::cdi ? "cdi" : "hook"; }

std::string_view check_of(GpuWay way) { return way == GpuWay::cdi ? "gpu-cdi" : "gpu-hook"; }

std::optional<GpuWay> injected_by(const Json& evidence, bool gpu_present) {
  // CDI sets the variable to `void`, so that the hook, which obeys it, does nothing; NVIDIA's images have set it to `all` for the
  // hook. Where CUDA sees none, neither has worked.
  const auto visible_devices = util::text_member(evidence, "visible_devices");
  if (!visible_devices || visible_devices->empty() || !gpu_present) return std::nullopt;
  return *visible_devices == "void" ? GpuWay::cdi : GpuWay::hook;
}

std::optional<GpuWay> only_way(EngineKind kind, const EngineFacts& facts, bool by_cdi, const std::string& runtime) {
  if (by_cdi) return GpuWay::cdi;
  const auto release = facts.release();
  if (kind == EngineKind::podman || !runtime.empty() || !release || *release >= first_with_choice) return std::nullopt;
  return GpuWay::hook;
}

Expected<std::vector<std::string>> forced_flags(GpuWay way, EngineKind kind, const EngineFacts& facts,
                                                const files::GpuSelection& selection) {
  if (kind == EngineKind::podman) {
    if (way == GpuWay::cdi) return by_names(selection);
    return absent("podman takes CDI names and does not report whether it also has a hook");
  }
  const auto release = facts.release();
  if (!release) return absent(fmt::format("unknown docker version: {}", in_quotes(facts.version)));
  if (way == GpuWay::cdi) return flags_of_cdi(facts, *release, selection);
  return *release < first_with_choice ? gpu_words(selection, false) : by_driver(selection, "nvidia.runtime-hook");
}

std::optional<GpuWay> way_of(std::optional<GpuWay> only, const BenchReport& first) {
  const auto* const probe = first.row("probe");
  const auto told = probe == nullptr ? std::nullopt : injected_by(probe->evidence, first.gpu_present);
  if (!told) return only;
  // An image's own NVIDIA_VISIBLE_DEVICES reads as the hook's where a CDI spec leaves it alone.
  if (only == GpuWay::cdi && told == GpuWay::hook) return std::nullopt;
  return told;
}

Result judge_gpu_way(const WaySeen& seen, std::size_t gpus, const std::vector<std::string>& required) {
  const auto check = check_of(seen.way);
  if (seen.own)
    return gpus > 0 ? made(check, Status::pass, "this run got its GPUs this way")
                    : made(check, Status::fail, "this run requested its GPUs this way, but CUDA sees none (check gpu)");
  if (!seen.flags) return made(check, Status::skip, seen.flags.error().message);
  const auto* const bench = seen.bench.get();
  const auto& launched = seen.bench.launched;
  auto result = bench == nullptr ? failed(check, seen.bench) : judge_tried(seen.way, *bench);
  if (launched.end != Launched::End::done && lacks_the_way(launched)) result.status = Status::skip;
  result.message = fmt::format("{}: {}", fmt::join(*seen.flags, " "), result.message);
  result.evidence = {{"flags", *seen.flags}, {"words", launched.words}};
  if (result.status == Status::fail && std::find(required.begin(), required.end(), check) == required.end())
    result.status = Status::warn;
  return result;
}

}  // namespace envgen::validate
