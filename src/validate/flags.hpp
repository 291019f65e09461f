#pragma once

#include <string>
#include <vector>

#include "container/engine.hpp"
#include "files/gpu_selection.hpp"
#include "validate/validate.hpp"

/// What the flags of a run ask of an engine.
namespace envgen::validate {

/// What `--gpus` comes to.
struct ChosenGpus {
  std::string said;  ///< the flag's value that was used: `all`, `none`
  files::GpuSelection selection;
  bool by_cdi = false;

  bool none() const { return selection.none(); }
};

/// Errors (usage): a value that no engine would take.
Expected<void> check_flags(const Options& options);

/// Errors (usage): no such GPUs; a number where they are named by CDI.
Expected<ChosenGpus> choose_gpus(const Options& options, const container::Engine& engine);
/// The same without an engine: the driver of this machine is what says that there are any.
Expected<ChosenGpus> choose_gpus_here(const Options& options);

/// The words of `create` that ask for these GPUs.
std::vector<std::string> gpu_words(const files::GpuSelection& selection, bool by_cdi);
/// Those that were asked for.
std::vector<std::string> container_flags(const Options& options, const ChosenGpus& gpus);

}  // namespace envgen::validate
