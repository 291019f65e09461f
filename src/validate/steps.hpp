#pragma once

#include <filesystem>
#include <optional>

#include "container/engine.hpp"
#include "validate/image_files.hpp"
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
/// The third, a container without GPU flags, so that nothing of the driver is put into it: envgen-bench looks at the image's own
/// files, and writes into a folder of this machine.
Expected<void> files_step(Run& run, Place& place, const std::filesystem::path& bench);

/// What the row `image-files` of a program that was envgen-bench tells; none: it told nothing.
std::optional<ImageFiles> image_files_of(const Launched& launched);

/// Where envgen-bench lies in a container.
inline constexpr const char* bench_in_container = "/envgen-bench";

}  // namespace envgen::validate
