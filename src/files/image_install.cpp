#include "files/image_install.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/conda_packages.hpp"
#include "files/extension_program.hpp"
#include "files/extensions.hpp"
#include "files/image_base.hpp"
#include "files/index_login.hpp"
#include "files/interpreter.hpp"
#include "files/mirrors.hpp"
#include "files/packages.hpp"
#include "files/quoting.hpp"
#include "files/tools.hpp"
#include "model/shell_word.hpp"

namespace envgen::files {
namespace {

constexpr auto venv = image_venv;
constexpr std::string_view built = "/root/.cache/envgen-built";

class ImageInstaller {
 public:
  explicit ImageInstaller(const Inputs& inputs) : subject_(inputs), environment_(inputs.environment) {}

  Expected<Install> run() {
    if (auto refused = refuse_missing_python(); !refused) return tl::unexpected(std::move(refused.error()));
    if (environment_.variant == Variant::devel) build_tools();
    if (environment_.installer == Installer::conda) {
      if (auto made = conda(); !made) return tl::unexpected(std::move(made.error()));
    } else if (environment_.python_provider == PythonProvider::image) {
      if (auto made = into_the_image(); !made) return tl::unexpected(std::move(made.error()));
    } else if (environment_.installer == Installer::uv) {
      with_uv();
    } else {
      with_pip();
    }
    guard_passwords();
    return std::move(result_);
  }

 private:
  Expected<void> refuse_missing_python() const {
    if (environment_.python_provider != PythonProvider::other) return {};
    return fail(ErrorCode::usage,
                fmt::format("neither {} nor uv provides Python {}", environment_.os.value_or("this system"), environment_.python),
                "--python", {other_way_to_python(environment_)});
  }

  bool trusts_a_file() const { return !subject_.options.ca_cert.value.empty(); }

  /// nvcc finds its compiler and its targets by these.
  void build_tools() {
    if (!environment_.build().cuda) return;
    auto& env = result_.build_env;
    const bool by_conda = brings_conda_toolkit(environment_);
    if (by_conda) {
      // nvcc, the headers, the libraries and a compiler that nvcc accepts are in the environment itself.
      const auto headers = fmt::format("{}/{}", image_conda, conda_toolkit_headers(environment_));
      const auto compiler = fmt::format("{}/bin/{}", image_conda, conda_compiler(environment_));
      env.insert(env.end(), {{"CUDA_HOME", std::string(image_conda)}, {"CUDA_INC_PATH", headers}, {"CPATH", headers}});
      env.insert(env.end(), {{"CC", compiler + "-gcc"}, {"CXX", compiler + "-g++"}, {"NVCC_CCBIN", compiler + "-g++"}});
    } else {
      env.emplace_back("CUDA_HOME", "/usr/local/cuda");
    }
    if (const auto archs = arch_list(environment_); environment_.torch && !archs.empty())
      env.emplace_back("TORCH_CUDA_ARCH_LIST", dockerfile_value(archs));
    for (const auto& [name, value] : extension_variables(subject_)) env.emplace_back(name, dockerfile_value(value));
    // How many compilers run at once, where memory is short; https://docs.pytorch.org/docs/stable/cpp_extension.html
    if (!compiled(subject_.options).empty()) result_.args.emplace_back("MAX_JOBS");
    const auto gcc = older_gcc(environment_);
    if (gcc.empty() || by_conda) return;
    env.emplace_back("CC", "gcc-" + gcc);
    env.emplace_back("CXX", "g++-" + gcc);
    env.emplace_back("NVCC_CCBIN", "g++-" + gcc);
  }

  void secret() {
    if (trusts_a_file())
      result_.mounts.push_back(fmt::format("type=secret,id=ca-cert,target={},mode=0444,required=true", ca_file));
  }

  /// Before anything is asked of an index.
  void guard_passwords() {
    const auto indexes = indexes_among(result_.args);
    if (indexes.empty()) return;
    const bool legacy = subject_.options.legacy_builder;
    if (!legacy) result_.mounts.emplace_back(netrc_mount);
    result_.commands.insert(result_.commands.begin(), refuse_passwords_in(indexes, legacy));
  }

  void index_argument(std::string_view name) {
    const auto& index = subject_.options.pip_index.value;
    result_.args.push_back(index.empty() ? std::string(name) : fmt::format("{}={}", name, dockerfile_value(index)));
  }

  /// What pip is told by its environment; https://pip.pypa.io/en/stable/topics/configuration/
  void pip_settings() {
    index_argument("PIP_INDEX_URL");
    if (!subject_.options.legacy_builder) {
      result_.mounts.emplace_back("type=cache,id=envgen-pip,target=/root/.cache/pip");
      // pip keeps what it builds beside what it fetches, and its key for that tells nothing of compiler, CUDA and targets.
      if (!subject_.options.pip.empty()) result_.mounts.emplace_back("type=tmpfs,target=/root/.cache/pip/wheels");
    }
    result_.commands.emplace_back(subject_.options.legacy_builder ? "export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1"
                                                                  : "export PIP_DISABLE_PIP_VERSION_CHECK=1");
    if (trusts_a_file()) result_.commands.back() += fmt::format(" PIP_CERT={0} SSL_CERT_FILE={0}", ca_file);
  }

  /// Beside those of pip, which name the certificates; https://docs.astral.sh/uv/reference/environment/
  void uv_settings() {
    index_argument("UV_DEFAULT_INDEX");
    if (!subject_.options.legacy_builder) result_.mounts.emplace_back("type=cache,id=envgen-uv,target=/root/.cache/uv");
    result_.commands.push_back(fmt::format("export UV_LINK_MODE=copy UV_COMPILE_BYTECODE=1 UV_PYTHON_INSTALL_DIR=/opt/python{}",
                                           subject_.options.legacy_builder ? " UV_NO_CACHE=1" : ""));
  }

  void bootstrap_uv() {
    pip_settings();
    uv_settings();
    result_.packages.insert(result_.packages.end(), {"python3", "python3-venv"});
    for (auto& command : commands_for_uv(subject_)) result_.commands.push_back(std::move(command));
  }

  void install_steps(const std::vector<PipStep>& steps, const std::string& command) {
    for (const auto& step : steps) {
      if (step.index_url) result_.args.push_back("TORCH_INDEX_URL=" + dockerfile_value(*step.index_url));
      if (step.compiles) {
        compile(command + words_of(step, environment_, frozen_path));
      } else {
        result_.commands.push_back(command + words_of(step, environment_, frozen_path));
      }
    }
  }

  /// What is compiled against torch has a cache of its own, for each key of what it depends on, and is noted down.
  void compile(const std::string& command) {
    const auto program = fmt::format("{} {}", interpreter(environment_), extension_program_path);
    const bool kept = !subject_.options.legacy_builder && environment_.installer != Installer::conda;
    if (kept) {
      result_.mounts.push_back(fmt::format("type=cache,id=envgen-built,target={}", built));
      result_.commands.push_back(fmt::format("built={}/$({} key)", built, program));
    }
    const bool by_uv = environment_.installer == Installer::uv && environment_.python_provider != PythonProvider::image;
    result_.commands.push_back(kept ? fmt::format("{}_CACHE_DIR=$built {}", by_uv ? "UV" : "PIP", command) : command);
    result_.commands.push_back(fmt::format("{} record {}", program, compiled_names(subject_.options)));
  }

  /// In the same layer as the files: another one would hold them again.
  void share(std::string_view folder) {
    result_.shared = true;
    result_.commands.push_back(fmt::format(
        "groupadd --system envgen-packages && chgrp --recursive envgen-packages {0} && chmod --recursive g=u {0}", folder));
  }

  void use_venv() {
    share(venv);
    result_.env.emplace_back("VIRTUAL_ENV", venv);
    result_.env.emplace_back("PATH", fmt::format("{}/bin:$PATH", venv));
  }

  bool has_own_python() const { return environment_.python_provider == PythonProvider::system; }

  void with_pip() {
    result_.why = fmt::format("{}, installed into a virtual environment.", framework_origin(environment_));
    if (has_own_python()) {
      result_.packages.insert(result_.packages.end(), {"python3", "python3-venv"});
      if (environment_.variant == Variant::devel) result_.packages.emplace_back("python3-dev");
      pip_settings();
      secret();
      result_.commands.push_back(fmt::format("python3 -m venv {}", venv));
      if (has_old_pip(environment_)) result_.commands.push_back(command_for_newer_pip(venv, subject_));
    } else {
      result_.why +=
          fmt::format(" uv installs Python {}, which the system does not have, and is then removed.", environment_.python);
      bootstrap_uv();
      secret();
      result_.commands.push_back(fmt::format("/opt/uv/bin/uv venv --python {} {}", environment_.python, venv));
      result_.commands.push_back(command_for_pip(venv, subject_));
      result_.commands.emplace_back("rm --recursive /opt/uv");
    }
    install_steps(pip_steps(subject_), fmt::format("{}/bin/pip install", venv));
    use_venv();
  }

  void with_uv() {
    result_.why = fmt::format("{}, installed by uv into a virtual environment.", framework_origin(environment_));
    bootstrap_uv();
    secret();
    if (has_own_python() && environment_.variant == Variant::devel) result_.packages.emplace_back("python3-dev");
    result_.commands.emplace_back("ln --symbolic /opt/uv/bin/uv /usr/local/bin/uv");
    result_.commands.push_back(
        fmt::format("uv venv --python {} {}", has_own_python() ? "/usr/bin/python3" : environment_.python.to_string(), venv));
    install_steps(pip_steps(subject_), fmt::format("uv pip install --python {}/bin/python", venv));
    use_venv();
  }

  /// The framework is there. What is asked for besides goes beside it: into the image's conda, or into its system's Python; where
  /// that refuses pip, into a virtual environment that sees it.
  Expected<void> into_the_image() {
    if (!environment_.image_layout)
      return fail(ErrorCode::usage, "envgen does not know whether this official image uses conda or the system Python", "--base",
                  {"--base slim"});
    const bool venv_needed = image_refuses_pip(environment_);
    if (venv_needed) {
      result_.packages.insert(result_.packages.end(), {"python3", "python3-venv"});
      result_.commands.push_back(fmt::format("python3 -m venv --system-site-packages {}", venv));
    }
    result_.why = "The image contains the framework; this adds the version pins and the requested packages.";
    const auto steps = steps_after(framework_requirements(environment_).front(), pins_and_extras(subject_), subject_.options);
    if (!steps.empty()) {
      pip_settings();
      secret();
    }
    install_steps(steps, fmt::format("{} -m pip install", interpreter(environment_)));
    if (venv_needed) use_venv();
    return {};
  }

  Expected<void> conda() {
    const bool toolkit = brings_conda_toolkit(environment_);
    auto specs = toolkit ? conda_packages_with_toolkit(subject_) : conda_packages(subject_);
    if (!specs) return tl::unexpected(std::move(specs.error()));
    const auto installer = miniforge(subject_);
    result_.packages.emplace_back("curl");
    result_.why = fmt::format("Installed by conda into {} with its own Python; Miniforge is removed afterwards.", image_conda);
    secret();
    if (!subject_.options.legacy_builder) result_.mounts.emplace_back("type=cache,id=envgen-conda,target=/tmp/conda-packages");
    if (trusts_a_file())
      result_.commands.push_back(fmt::format("export CURL_CA_BUNDLE={0} CONDA_SSL_VERIFY={0} PIP_CERT={0}", ca_file));
    result_.args.push_back(fmt::format("MINIFORGE_URL=\"{}\"", installer.folder));
    result_.commands.push_back(
        fmt::format("curl --fail --silent --show-error --location{} --output /tmp/miniforge.sh \"$MINIFORGE_URL/{}\"",
                    subject_.options.legacy_builder ? "" : " --netrc-optional", installer.file));
    result_.commands.push_back(fmt::format("echo \"{}  /tmp/miniforge.sh\" | sha256sum --check --quiet", installer.sha256));
    result_.commands.emplace_back("bash /tmp/miniforge.sh -b -p /opt/conda");
    std::string channels;
    for (const auto& channel : conda_channels(subject_.options, specs->channels)) channels += " --channel " + shell_word(channel);
    result_.commands.push_back(
        fmt::format("CONDA_PKGS_DIRS=/tmp/conda-packages /opt/conda/bin/conda create --yes --prefix {} "
                    "--override-channels --strict-channel-priority{} {}",
                    image_conda, channels, shell_words(specs->specs)));
    // torch links what it compiles against $CUDA_HOME/lib64.
    if (toolkit) result_.commands.push_back(fmt::format("{{ [ -e {0}/lib64 ] || ln --symbolic lib {0}/lib64; }}", image_conda));
    const auto steps = steps_after({}, extras(subject_), subject_.options);
    if (!steps.empty()) index_argument("PIP_INDEX_URL");
    install_steps(steps, fmt::format("{}/bin/pip install --no-cache-dir", image_conda));
    // Its own libraries would be in the image a second time.
    result_.commands.push_back(fmt::format("rm --recursive /opt/conda /tmp/miniforge.sh{}",
                                           subject_.options.legacy_builder ? " /tmp/conda-packages" : ""));
    share(image_conda);
    result_.env.emplace_back("CONDA_PREFIX", image_conda);
    result_.env.emplace_back("PATH", fmt::format("{}/bin:$PATH", image_conda));
    return {};
  }

  const Inputs& subject_;
  const Environment& environment_;
  Install result_;
};

}  // namespace

Expected<Install> image_install(const Inputs& inputs) { return ImageInstaller(inputs).run(); }

}  // namespace envgen::files
