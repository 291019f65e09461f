#pragma once

#include <string>

#include "container/engine.hpp"
#include "output/gpu_selection.hpp"
#include "validate/validate.hpp"

namespace envgen::validate {

/// What `--gpus` comes to on an engine.
struct ChosenGpus {
  output::GpuSelection selection;
  bool by_cdi = false;

  bool none() const { return selection.none(); }
};

/// Errors (usage): no such GPUs; a number where they are named by CDI.
Expected<output::GpuSelection> selection_of(const std::string& gpus, bool by_cdi);

/// `said` becomes the flag's value that was used.
Expected<ChosenGpus> choose_gpus(const Options& options, const container::Engine& engine, std::string& said);

}  // namespace envgen::validate
