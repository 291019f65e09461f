#include "validate/flags.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "files/container_flags.hpp"
#include "model/spelling.hpp"

namespace envgen::validate {
namespace {

Expected<ChosenGpus> chosen_gpus(const std::string& said, bool by_cdi) {
  files::Options options;
  options.container_gpus = {said, "--container-gpus"};
  if (by_cdi && !said.empty() && said.find_first_not_of("0123456789") == std::string::npos)
    return fail(ErrorCode::usage, "CDI (--cdi, podman) takes device names, not a number of GPUs", "--container-gpus",
                {"--container-gpus device=0,1", "--container-gpus all"});
  auto selection = files::gpu_selection(options);
  if (!selection) return tl::unexpected(selection.error());
  return ChosenGpus{said, std::move(*selection), by_cdi};
}

/// `any`: there are GPUs, as far as it is known.
Expected<ChosenGpus> choose(const Options& options, bool any, bool by_cdi) {
  if (options.profile == Profile::build) return chosen_gpus("none", by_cdi);
  return chosen_gpus(options.gpus != "auto" ? options.gpus : any ? "all" : "none", by_cdi);
}

}  // namespace

Expected<void> check_flags(const Options& options) {
  if (options.gpus != "auto") {
    if (auto chosen = chosen_gpus(options.gpus, options.cdi); !chosen) return tl::unexpected(chosen.error());
  }
  const auto& size = options.sharing.shm_size;
  if (!size.empty() && !bytes_of(size))
    return fail(ErrorCode::usage, fmt::format("{} is not a size", in_quotes(size)), "--shm-size", {"8g, 512m"});
  const auto& ipc = options.sharing.ipc;
  constexpr std::array<std::string_view, 5> modes{"", "host", "private", "shareable", "none"};
  if (std::find(modes.begin(), modes.end(), ipc) == modes.end() && (!ipc.starts_with("container:") || ipc.ends_with(':')))
    return fail(ErrorCode::usage, fmt::format("{} is not an IPC mode", in_quotes(ipc)), "--ipc",
                {"host, private, shareable, none, or container:NAME"});
  return {};
}

Expected<ChosenGpus> choose_gpus(const Options& options, const container::Engine& engine) {
  const auto& facts = engine.facts();
  const auto has = [](const std::vector<std::string>& names, std::string_view part) {
    return std::any_of(names.begin(), names.end(), [&](const auto& name) { return name.find(part) != std::string::npos; });
  };
  const bool any = (facts.local && options.driver) || has(facts.runtimes, "nvidia") || has(facts.cdi_devices, "nvidia.com/gpu");
  return choose(options, any, options.cdi || engine.kind() == container::EngineKind::podman);
}

Expected<ChosenGpus> choose_gpus_here(const Options& options) { return choose(options, options.driver.has_value(), false); }

std::vector<std::string> gpu_words(const files::GpuSelection& selection, bool by_cdi) {
  std::vector<std::string> words;
  for (const auto& flag : files::gpu_flags(selection, by_cdi)) words.insert(words.end(), flag.words.begin(), flag.words.end());
  return words;
}

std::vector<std::string> container_flags(const Options& options, const ChosenGpus& gpus) {
  auto words = gpu_words(gpus.selection, gpus.by_cdi);
  if (!options.sharing.ipc.empty()) words.push_back("--ipc=" + options.sharing.ipc);
  if (!options.sharing.shm_size.empty()) words.push_back("--shm-size=" + options.sharing.shm_size);
  for (const auto& volume : options.volumes) words.push_back("--volume=" + volume);
  words.push_back("--network=" + options.network);
  if (!options.runtime.empty()) words.push_back("--runtime=" + options.runtime);
  return words;
}

}  // namespace envgen::validate
