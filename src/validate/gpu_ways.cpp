#include "validate/gpu_ways.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "model/version.hpp"
#include "output/container_flags.hpp"
#include "util/json_members.hpp"

namespace envgen::validate {
namespace {

using container::EngineFacts;
using container::EngineKind;

constexpr Version first_with_cdi{25, 0};        // behind features.cdi of daemon.json
constexpr Version first_that_lists_cdi{28, 2};  // DiscoveredDevices
constexpr Version first_with_choice{29, 2};     // --gpus by CDI, or by the hook

/// `29.2.0` of `29.2.0-rc.1` and of `28.2.2+dfsg1`.
std::optional<Version> release_of(const EngineFacts& facts) {
  const auto digits = facts.version.substr(0, facts.version.find_first_not_of("0123456789."));
  const auto version = Version::parse(digits);
  return version ? std::optional(*version) : std::nullopt;
}

tl::unexpected<Error> absent(std::string why) { return fail(ErrorCode::missing, std::move(why)); }

std::vector<std::string> words_of(const std::vector<output::ContainerFlag>& flags) {
  std::vector<std::string> words;
  for (const auto& flag : flags) words.insert(words.end(), flag.words.begin(), flag.words.end());
  return words;
}

/// CDI names no number: so many are the first ones, as they are to the hook.
std::vector<std::string> by_names(output::GpuSelection selection) {
  for (int index = 0; index < selection.count.value_or(0); ++index) selection.devices.push_back(std::to_string(index));
  selection.count.reset();
  return words_of(output::gpu_flags(selection, true));
}

std::vector<std::string> by_driver(const output::GpuSelection& selection, std::string_view driver) {
  auto words = words_of(output::gpu_flags(selection, false));
  words.back() += fmt::format(",driver={}", driver);
  return words;
}

Expected<std::vector<std::string>> flags_of_cdi(const EngineFacts& facts, Version release,
                                                const output::GpuSelection& selection) {
  if (release < first_with_cdi) return absent(fmt::format("docker {} has no CDI (25.0 and later have)", release.to_string()));
  if (release < first_that_lists_cdi)
    return absent(
        fmt::format("docker {} does not tell its CDI devices (28.2 and later do); --cdi asks for them", release.to_string()));
  const auto& devices = facts.cdi_devices;
  if (std::none_of(devices.begin(), devices.end(), [](const auto& name) { return name.starts_with("nvidia.com/gpu="); }))
    return absent("docker has found no CDI device nvidia.com/gpu");
  return release < first_with_choice ? by_names(selection) : by_driver(selection, "nvidia.cdi");
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
  const auto release = release_of(facts);
  if (kind == EngineKind::podman || !runtime.empty() || !release || *release >= first_with_choice) return std::nullopt;
  return GpuWay::hook;
}

Expected<std::vector<std::string>> forced_flags(GpuWay way, EngineKind kind, const EngineFacts& facts,
                                                const output::GpuSelection& selection) {
  if (kind == EngineKind::podman) {
    if (way == GpuWay::cdi) return by_names(selection);
    return absent("podman is asked by CDI names, and does not tell whether it has a hook besides");
  }
  const auto release = release_of(facts);
  if (!release) return absent(fmt::format("docker's version is not understood: {}", in_quotes(facts.version)));
  if (way == GpuWay::cdi) return flags_of_cdi(facts, *release, selection);
  return *release < first_with_choice ? words_of(output::gpu_flags(selection, false))
                                      : by_driver(selection, "nvidia.runtime-hook");
}

}  // namespace envgen::validate
