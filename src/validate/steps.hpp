#pragma once

#include <filesystem>
#include <optional>

#include "container/engine.hpp"
#include "validate/launch.hpp"
#include "validate/run.hpp"

/// The steps of a run, one file each. What is wrong with an engine, an image or a program is a result of the run; errors are
/// `interrupted`, wrong usage, and what keeps envgen itself from going on.
namespace envgen::validate {

/// The engine that answers, told and cleared of what earlier runs left. None: the run has stopped.
Expected<std::optional<container::Engine>> engine_step(Run& run);
/// The image and its configuration: what it is, its lock, its user. None: the run has stopped.
Expected<std::optional<container::Image>> image_step(Run& run, const container::Engine& engine);
/// The first program: envgen-bench, with the flags that were asked for. Its start is the container's.
Expected<void> bench_step(Run& run, Place& place, const std::filesystem::path& bench);
/// The second: the image's Python.
Expected<void> python_step(Run& run, Place& place);
/// The third: envgen-bench writes into a folder of this machine.
Expected<void> mount_step(Run& run, Place& place, const std::filesystem::path& bench);

/// Where envgen-bench lies in a container.
inline constexpr const char* bench_in_container = "/envgen-bench";

}  // namespace envgen::validate
