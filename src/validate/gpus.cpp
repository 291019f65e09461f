#include "validate/gpus.hpp"

#include <algorithm>

#include "output/container_flags.hpp"

namespace envgen::validate {

Expected<output::GpuSelection> selection_of(const std::string& gpus, bool by_cdi) {
  output::Options options;
  options.container_gpus = {gpus, "--gpus"};
  if (by_cdi && !gpus.empty() && gpus.find_first_not_of("0123456789") == std::string::npos)
    return fail(ErrorCode::usage, "GPUs are named by CDI (--cdi, podman), and a number names none", "--gpus",
                {"--gpus device=0,1", "--gpus all"});
  return output::gpu_selection(options);
}

Expected<ChosenGpus> choose_gpus(const Options& options, const container::Engine& engine, std::string& said) {
  ChosenGpus chosen;
  chosen.by_cdi = options.cdi || engine.kind() == container::EngineKind::podman;
  said = options.profile == Profile::build ? "none" : options.gpus;
  if (said == "auto") {
    const auto& facts = engine.facts();
    const auto has = [](const std::vector<std::string>& names, std::string_view part) {
      return std::any_of(names.begin(), names.end(), [&](const auto& name) { return name.find(part) != std::string::npos; });
    };
    const bool any = (facts.local && options.driver) || has(facts.runtimes, "nvidia") || has(facts.cdi_devices, "nvidia.com/gpu");
    said = any ? "all" : "none";
  }
  auto selection = selection_of(said, chosen.by_cdi);
  if (!selection) return tl::unexpected(selection.error());
  chosen.selection = std::move(*selection);
  return chosen;
}

}  // namespace envgen::validate
