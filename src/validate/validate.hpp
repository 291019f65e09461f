#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/environment.hpp"
#include "model/error.hpp"
#include "resolver/query.hpp"
#include "validate/image_gate.hpp"
#include "validate/report.hpp"
#include "validate/sharing.hpp"

namespace envgen::validate {

enum class Profile : std::uint8_t { build, smoke, full };
std::string_view name_of(Profile profile);

/// The lock that an image is compared with.
struct LockedTo {
  std::string file;
  std::string promise;  ///< project::promise_of
  Environment environment;
  bool named = false;  ///< by --lock; else it lies in this folder, and only an image that names a lock is compared with it
};

struct Options {
  std::string image;   ///< empty: the environment that envgen itself is in
  std::string python;  ///< here: the interpreter; empty: python or python3 of PATH
  std::string engine = "auto";
  Profile profile = Profile::smoke;
  std::string gpus = "auto";  ///< all, none, a number, device=...; auto: all where the engine's machine has any
  bool cdi = false;           ///< GPUs by their CDI names, as podman takes them
  SharingFlags sharing;
  std::vector<std::string> volumes;  ///< each as the engine's --volume takes it
  std::string network;
  std::string runtime;
  /// envgen-bench for a processor as image and engine call it: `amd64`, `arm64`; empty: of this machine.
  /// One that is not there is a failure in the report.
  std::function<Expected<std::filesystem::path>(const std::string& architecture)> bench;
  std::chrono::seconds timeout{0};   ///< of the run; to clean up it has container::clean_up_time more
  std::vector<std::string> require;  ///< see Report::require
  std::optional<LockedTo> lock;
  /// --torch, --tensorflow, --cuda, --python and --gpu as they are understood: what an image without a lock is compared with, and
  /// the GPUs that its build has to run on where none is there.
  std::optional<resolver::Query> asked;
  std::optional<matrix::Matrix> matrix;  ///< the facts that it is compared with
  std::optional<HostDriver> driver;      ///< of this machine
};

/// Makes every check, of the image in containers or of the environment here, and leaves no container behind. `progress` is told
/// what is being done. Errors: usage, where flags do not go together; interrupted. What an engine or an image lacks is in the
/// report.
Expected<Report> run(const Options& options, const std::function<void(std::string_view)>& progress);

}  // namespace envgen::validate
