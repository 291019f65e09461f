#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/capability.hpp"
#include "model/environment.hpp"
#include "model/error.hpp"

namespace envgen::files {

/// A value as it was written, and where: `--apt`, or `envgen.json#/outputs/apt/0`.
struct GivenText {
  std::string value;
  std::string where;
};

/// What only a known mirror tells: its root serves any distribution, and it may lack channels.
struct MirrorFacts {
  std::string apt_root;                     ///< holds ubuntu/, ubuntu-ports/, debian/ and debian-security/
  std::vector<std::string> conda_channels;  ///< that it has; empty: all
};

/// What releases of a package need of the machine, from one on up to that of its next row: a row of extensions.json. None:
/// unknown, or any.
struct PackageNeeds {
  std::string package;
  Version from;
  std::vector<Capability> archs;  ///< it has binaries for these alone
  std::optional<Capability> min_capability = std::nullopt;
  std::optional<Version> min_cuda = std::nullopt;
  std::optional<Version> min_torch = std::nullopt;
};

/// A package of pip that compiles CUDA code against the installed torch: a row of extensions.json.
struct Extension {
  std::string name;        ///< as PEP 503 normalises it
  bool when_used = false;  ///< it compiles then, and not when it is installed
  std::string variable;    ///< tells it to compile for a GPU, where TORCH_CUDA_ARCH_LIST does not; empty: none does
  std::string value;       ///< of the variable; empty: the majors of the boards' capabilities, 80;90
  std::string instead;     ///< what serves where it cannot be used; empty: nothing was read
};

/// Releases of a package, and what they require of another one: a row of extensions.json.
struct PackageRequirement {
  std::string package;
  std::string of;                     ///< the other package; `python`
  std::string spec;                   ///< a specifier
  std::vector<std::string> releases;  ///< as pip writes them
};

/// What the files install by themselves: a row of tools.json.
struct Tool {
  std::string name;
  std::string platform;  ///< empty: it is for each
  std::string python;    ///< `3.8`: for it and later ones; `3.7`, `3.6`: for it alone; `3.5`: fetches uv there; empty: for each
  std::string version;
  std::vector<std::string> hashes;  ///< of its files
};

/// A system, and the Python that it has: a row of os.json.
struct SystemPython {
  std::string os;
  PythonVersion python;
};

/// What a user may say of the files beside the environment itself. The same options are behind all files, so all agree.
struct Options {
  std::vector<GivenText> apt;           ///< more packages of the system
  std::vector<GivenText> pip;           ///< more requirements of pip
  GivenText user{"dev", ""};            ///< who runs in the container
  GivenText base_image;                 ///< in place of the published one; empty: the published one
  GivenText pip_index;                  ///< simple index in place of the one that pip is configured with; empty: that one
  GivenText apt_mirror;                 ///< an archive in place of the distribution's own
  GivenText conda_mirror;               ///< in place of https://conda.anaconda.org
  GivenText torch_mirror;               ///< an index in place of https://download.pytorch.org/whl
  GivenText mirror;                     ///< a row of mirrors.json, which fills what is not said above
  MirrorFacts of_mirror;                ///< what that row says beyond the options above
  GivenText image_name{"envgen", ""};   ///< of the built image
  GivenText container_gpus{"all", ""};  ///< which GPUs a container gets: gpu_selection.hpp
  GivenText shm_size;                   ///< of /dev/shm: `8g`; empty: that of the host
  GivenText ca_cert;         ///< a file of certificates, for a network that intercepts TLS; a build is given it as a secret
  GivenText ci_for;          ///< `github` or `gitlab`, whose workflow is made
  GivenText envgen_url;      ///< where envgen's releases are, for a workflow; empty: a variable of that CI, as of the next two
  GivenText envgen_version;  ///< the release that it uses
  GivenText envgen_sha256;   ///< of that release's tarball
  std::vector<GivenText> gpu_runner;  ///< what a runner with GPUs is labelled with; empty: `ci.hpp` has the default
  GivenText needs_nvcc;               ///< not empty: something that is installed later compiles CUDA code
  bool explicit_toolkit = false;      ///< a conda environment has nvcc of its own
  bool multi_stage = false;           ///< what compiled is left behind in a stage of its own
  bool no_compiler = false;           ///< a runtime image has nothing that torch.compile compiles with
  bool jupyter = false;               ///< JupyterLab is installed, and can be started
  bool ssh = false;                   ///< sshd is installed, and can be started
  bool gpu_required = false;          ///< a dev container without a GPU is a mistake
  bool podman = false;                ///< in place of docker
  bool legacy_builder = false;        ///< for the builder before BuildKit: no cache mounts, no secrets

  std::vector<Extension> extensions = {};             ///< those that are known
  std::vector<PackageNeeds> needs = {};               ///< ... and what they need, those of a package ascending
  std::vector<PackageRequirement> requirements = {};  ///< ... and the releases that are
  std::vector<Tool> tools = {};                       ///< ... and each that a file may need: `check_tools`
  std::vector<SystemPython> systems = {};             ///< ... and the systems
};

using Texts = std::vector<GivenText> Options::*;
using OneText = GivenText Options::*;
using Switch = bool Options::*;

/// All that is said of an option, once: command line, envgen.json, its template and its schema (schema/envgen.schema.json) go by
/// this table.
struct OptionRow {
  std::string_view name;     ///< of the member of `outputs`
  const char* option;        ///< on the command line
  const char* type;          ///< what stands for its value in help; empty: it takes none
  const char* group;         ///< of the command's help
  int place;                 ///< in help, whose order is not that of the table
  const char* help;          ///< ... of the command line
  std::string_view what;     ///< the explanation in the template
  std::string_view example;  ///< a value as JSON
  std::variant<Texts, OneText, Switch> value;
  /// The grammar of a text that is not empty. Errors (usage): of that place.
  Expected<void> (*check)(std::string_view text, const std::string& where) = nullptr;
  bool refuses_empty = false;     ///< an empty value can only be a shell variable that is not set
  std::string_view pattern = {};  ///< of the grammar, for the schema of the project file; empty: its form is not fixed
};
std::span<const OptionRow> option_rows();

/// Errors (usage): a value that does not fit its grammar; two options that exclude each other.
Expected<void> check_options(const Options& options);

/// What every output is made from.
struct Inputs {
  const Environment& environment;
  const Options& options;
  std::string lock;  ///< what the lock promises, `sha256:...` (project::promise_of): an image says which one it is
  std::vector<std::string> made = {};         ///< the names of all outputs that the project makes; empty: it names none
  std::vector<std::string> stale_lists = {};  ///< of apt in the image that apt would refuse: `cuda.list`

  /// For podman: the options or the request say so.
  bool podman() const { return options.podman || environment.engine == Engine::podman; }
  /// GPUs are named as CDI does.
  bool cdi() const { return podman() || environment.engine == Engine::docker_cdi; }
  bool makes(std::string_view name) const { return std::find(made.begin(), made.end(), name) != made.end(); }
  /// The project makes a Dockerfile in its own folder: as such, or with the compose.yaml that builds it.
  bool makes_dockerfile() const { return makes("dockerfile") || makes("compose"); }
};

}  // namespace envgen::files
