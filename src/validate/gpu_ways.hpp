#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "container/engine.hpp"
#include "files/gpu_selection.hpp"
#include "validate/bench_report.hpp"

/// An engine's two ways to a GPU: devices by their CDI names, and NVIDIA's hook. Docker's `--gpus` means the hook, and since 29.2
/// CDI first, falling back to the hook silently (moby/moby#50228).
namespace envgen::validate {

enum class GpuWay : std::uint8_t { cdi, hook };
/// `cdi`, `hook`
std::string_view name_of(GpuWay way);
/// `gpu-cdi`, `gpu-hook`
std::string_view check_of(GpuWay way);

/// How GPUs that CUDA counts came into a container, by the evidence of the test `probe`. None: it does not tell.
std::optional<GpuWay> injected_by(const Json& evidence, bool gpu_present);

/// The way that an engine has to take with a run's flags. None: it has a choice. `runtime`: as `--runtime` names it; empty: none.
std::optional<GpuWay> only_way(container::EngineKind kind, const container::EngineFacts& facts, bool by_cdi,
                               const std::string& runtime);

/// The way by which a run's first container got its GPUs, or was to get them. `only`: as `only_way` tells. None: it cannot be
/// told.
std::optional<GpuWay> way_of(std::optional<GpuWay> only, const BenchReport& first);

/// The words of `create` that ask for the GPUs by this way and no other. Errors (missing): why the engine has no such way, or
/// none that is known.
Expected<std::vector<std::string>> forced_flags(GpuWay way, container::EngineKind kind, const container::EngineFacts& facts,
                                                const files::GpuSelection& selection);

/// What became of a way. Its flags are an error where the engine has none.
struct WaySeen {
  GpuWay way{};
  bool own = false;                            ///< that of the run's first container
  Expected<std::vector<std::string>> flags{};  ///< by which it was tried
  BenchTold bench{};                           ///< what was started with them
};

/// The checks gpu-cdi and gpu-hook. `gpus`: as many came into the first container. `required`: the names of `--require`; a way
/// that fails is a warning where it is none of them, for the run itself does not go that way.
Result judge_gpu_way(const WaySeen& seen, std::size_t gpus, const std::vector<std::string>& required);

}  // namespace envgen::validate
