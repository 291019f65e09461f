#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "container/engine.hpp"
#include "util/run_time.hpp"
#include "util/temporary_folder.hpp"
#include "validate/launch.hpp"
#include "validate/loader_environment.hpp"
#include "validate/seen.hpp"
#include "validate/validate.hpp"

/// The steps of a run. Each is given what it needs and returns what it saw, which is judged when the last one has ended
/// (`judge.hpp`). What is wrong with an engine, an image or a program is seen; errors are `interrupted`, wrong usage, and what
/// keeps envgen itself from going on.
namespace envgen::validate {

/// What all steps of a run share.
struct Context {
  const Options& options;
  const std::function<void(std::string_view)>& progress;
  std::string nonce;                    ///< by which a report is known to be of this run
  util::RunTime time{options.timeout};  ///< from here on
};

/// All that a run of an image sees. `left` is told of the containers that the engine does not remove.
Expected<ImageSeen> see_image(const Context& context, std::vector<container::Left>& left);
/// The same of the environment that envgen itself is in.
Expected<ProgramsSeen> see_here(const Context& context);

/// envgen-bench with flags for its container and arguments, for JSON and within the time of a container.
Program bench_program(const Context& context, const std::filesystem::path& bench, std::vector<std::string> flags,
                      const std::vector<std::string>& arguments);
/// The same with the tests of the profile. `loader`: of who uses what is tested.
Program test_program(const Context& context, const std::filesystem::path& bench, const ChosenGpus& gpus,
                     const LoaderEnvironment& loader);
/// Starts it, and reads its report.
Expected<BenchTold> run_bench(const Context& context, Place& place, const Program& program);
/// The limits that envgen-bench is given, so that it has reported before the time of the run is over, of which `left` is left:
/// one for all of its tests, and one for each, of which two that hang fit into it.
std::vector<std::string> bench_time(std::chrono::seconds whole, std::chrono::seconds left, Profile profile);

/// The first container of an image.
struct FirstSeen {
  BenchTold bench;
  std::optional<util::TemporaryFolder> mount;  ///< the folder of this machine that is mounted there
  HeldIpc held;                                ///< by the engine's machine, while it ran
};
/// envgen-bench with the flags that were asked for. `held`: by another machine; a local one holds its own. It also starts the
/// image's Python when its tests have ended, and writes into a mount where the engine is on this machine: a start of another
/// container takes half a second and more.
Expected<FirstSeen> first_step(const Context& context, Place& place, const std::filesystem::path& bench, const ChosenGpus& gpus,
                               const LoaderEnvironment& loader, HeldIpc held, bool local);
/// The image's Python, where the first program did not start it. null: that one does not tell.
Expected<PythonTold> python_step(const Context& context, Place& place, const ChosenGpus& gpus, const BenchReport* first,
                                 std::string_view doing);
/// envgen-bench writes into a folder of this machine, where the first did not.
Expected<MountSeen> mount_step(const Context& context, Place& place, const std::filesystem::path& bench, const FirstSeen& first);
/// The image's own files, as envgen-bench sees them: by a container without GPU flags, so that nothing of the driver is put into
/// it, where the first was asked for GPUs.
Expected<FilesSeen> files_step(const Context& context, Place& place, const std::filesystem::path& bench, const BenchTold& first,
                               const ChosenGpus& gpus, const LoaderEnvironment& loader);
/// The two ways by which an engine brings GPUs into a container: that of the first container by what it told, the other by a
/// short container of its own, where the engine has it.
Expected<std::vector<WaySeen>> gpu_ways_step(const Context& context, Place& place, const std::filesystem::path& bench,
                                             const EngineSeen& engine, const ChosenGpus& gpus, const BenchReport& first);

/// What the row `image-files` of envgen-bench tells; none: it told nothing.
std::optional<ImageFiles> image_files_of(const BenchTold& bench);

/// The image's Python by the names that it may have, and what it is given.
inline constexpr std::array<const char*, 2> python_names{"python", "python3"};
std::vector<std::string> python_arguments(const Context& context);
/// A folder that whoever the container's user is may write into, the flag that mounts it, and the one of envgen-bench by which it
/// writes there.
Expected<util::TemporaryFolder> mount_folder();
std::string mount_flag(const util::TemporaryFolder& folder);
std::string touch_flag();
inline constexpr const char* mount_in_container = "/envgen-mount";

/// Where envgen-bench lies in a container.
inline constexpr const char* bench_in_container = "/envgen-bench";

}  // namespace envgen::validate
