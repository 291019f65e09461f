#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "container/container.hpp"
#include "util/run_time.hpp"
#include "util/temporary_folder.hpp"
#include "validate/bench_report.hpp"
#include "validate/gpu_ways.hpp"
#include "validate/gpus.hpp"
#include "validate/held_ipc.hpp"
#include "validate/image_files.hpp"
#include "validate/launch.hpp"
#include "validate/loader_environment.hpp"
#include "validate/self_report.hpp"
#include "validate/validate.hpp"

namespace envgen::validate {

/// One run of `validate`: what its steps share, and what they leave for those after them.
struct Run {
  const Options& options;
  const std::function<void(std::string_view)>& progress;
  util::RunTime time{options.timeout};  ///< from here on
  std::vector<container::Left> left{};  ///< the containers that the engine did not remove
  Report report{};
  const Environment* lock = nullptr;  ///< what is compared with; null: nothing
  ChosenGpus gpus{};
  bool local = false;                    ///< the programs run on this machine, whose namespaces and folders we see
  std::optional<unsigned long> donor{};  ///< the IPC namespace of the container that `--ipc=container:X` names
  /// One container serves all programs, as far as it can: a start of another one takes half a second and more.
  bool in_one = false;
  std::optional<util::TemporaryFolder> mount{};  ///< the folder of this machine that is mounted there
  std::optional<Launched> python{};              ///< what became of the image's Python there; none: it was not started
  std::optional<std::string> write_error{};      ///< why nothing was written into the mount, empty: it was; none: not tried
  HeldIpc held{};                                ///< by the engine's machine
  std::optional<ImageFiles> files{};             ///< what envgen-bench found in the image; none: it did not look
  std::string nonce{};                           ///< by which a report is known to be of this run
  LoaderEnvironment loader{};                    ///< of the image
  std::optional<SelfReport> told{};              ///< by the Python
  std::vector<GpuFacts> gpus_there{};            ///< that CUDA counts
  std::optional<GpuWay> gpu_way{};               ///< by which they came; none: not told
  std::optional<Version> cuda_of_driver{};       ///< the newest that the driver reports
  std::string prefix{};                          ///< where the environment of the Python lies
  bool started = false;
  bool bench_reported = false;
  bool no_python = false;
  std::string stopped{};  ///< why nothing more was tried
};

/// The environment that envgen itself is in, without an engine.
inline bool is_here(const Run& run) { return run.options.image.empty(); }

/// Why a check of which nothing was told was not made.
std::string why_not_made(const Run& run, const Check& check);

}  // namespace envgen::validate
