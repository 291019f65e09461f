#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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
/// The first program: envgen-bench, with the flags that were asked for. Its start is the container's. With `Run::in_one` it also
/// starts the image's Python when its tests have ended, and writes into a mount.
Expected<void> bench_step(Run& run, Place& place, const std::filesystem::path& bench);
/// Instead of it, where there is none for the processor.
void no_bench_step(Run& run, const Error& why);
/// The second: the image's Python, where the first did not start it.
Expected<void> python_step(Run& run, Place& place);
/// The third: envgen-bench writes into a folder of this machine, where the first did not.
Expected<void> mount_step(Run& run, Place& place, const std::filesystem::path& bench);
/// The image's own files, as envgen-bench sees them: by a container without GPU flags, so that nothing of the driver is put into
/// it, where the first was asked for GPUs.
Expected<void> files_step(Run& run, Place& place, const std::filesystem::path& bench);

/// The two ways by which an engine brings GPUs into a container: that of the first container by what it told, the other by a
/// short container of its own, where the engine has it.
Expected<void> gpu_ways_step(Run& run, const container::Engine& engine, Place& place, const std::filesystem::path& bench);

/// What the row `image-files` of a program that was envgen-bench tells; none: it told nothing.
std::optional<ImageFiles> image_files_of(const Run& run, const Launched& launched);
std::optional<ImageFiles> image_files_of(const BenchReport& bench);

/// What Python told, beside the files that were found.
void compare_self_report(Run& run, const ImageFiles& found);

/// For more than GPUs, in place of a lock.
bool asks_for_versions(const Options& options);

/// The image's Python by the names that it may have, and what it is given.
inline constexpr std::array<const char*, 2> python_names{"python", "python3"};
std::vector<std::string> python_arguments(const Run& run);
/// A folder that whoever the container's user is may write into, the flag that mounts it, and the file that is written there.
Expected<util::TemporaryFolder> mount_folder();
std::string mount_flag(const util::TemporaryFolder& folder);
/// What envgen-bench says of that file.
void take_written(Run& run, const BenchReport& bench);
inline constexpr const char* mount_in_container = "/envgen-mount";
inline constexpr const char* written_file = "written";

/// envgen-bench with these arguments, for JSON and within the time of a container.
std::vector<std::string> bench_arguments(const Run& run, std::vector<std::string> more);

/// Where envgen-bench lies in a container.
inline constexpr const char* bench_in_container = "/envgen-bench";

}  // namespace envgen::validate
