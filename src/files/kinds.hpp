#pragma once

#include <string>
#include <vector>

#include "files/file.hpp"
#include "files/options.hpp"
#include "util/json_writer.hpp"

/// What each kind of output makes; outputs.hpp is the table of them. Each has a .cpp of its name.
namespace envgen::files {

/// `Dockerfile` and `.dockerignore` for the environment: its base, its system's packages, its Python, the framework with an
/// assertion that it is the locked one, and a user who is not root.
/// Errors (usage): what the base or the system cannot hold: nvcc where no devel image was published, a system whose packages
/// envgen cannot name.
Expected<Files> dockerfile(const Inputs& inputs);

/// `environment.yaml` for conda and mamba. Errors (usage): the environment is not one of conda.
Expected<Files> conda(const Inputs& inputs);

/// `requirements.txt` for pip and `uv pip`: every part exact, and the wheel index only where the build is not on the package
/// index. Errors (usage): an environment of conda.
Expected<Files> requirements(const Inputs& inputs);

/// `pyproject.toml` for uv and Poetry: the same, with the wheel index explicit, so that nothing else comes from it.
/// https://docs.astral.sh/uv/guides/integration/pytorch/, https://python-poetry.org/docs/repositories/#explicit-package-sources
/// Errors (usage): an environment of conda.
Expected<Files> pyproject(const Inputs& inputs);

/// `run.sh`: starts the image with docker or podman, each flag with what it is for.
/// Errors (usage): a number of GPUs for podman, which names devices.
Expected<Files> run_script(const Inputs& inputs);

/// `compose.yaml`: a service of the image that the Dockerfile beside it builds. For podman the devices are named the CDI way, for
/// podman-compose ignores `deploy.resources` without a message.
/// Errors (usage): as run_script.
Expected<Files> compose(const Inputs& inputs);

/// setup.sh: the same environment on a bare machine, by venv, uv or conda. Idempotent; needs no GPU; on AutoDL it uses the data
/// disk and its proxy. Errors (usage): a TensorFlow that brings no CUDA; a Python that nobody has; not an environment of conda.
Expected<Files> setup_script(const Inputs& inputs);

/// .devcontainer/devcontainer.json and its Dockerfile, for VS Code, Codespaces and the Dev Containers CLI.
/// https://containers.dev/implementors/json_reference/. Errors: those of the Dockerfile.
Expected<Files> devcontainer(const Inputs& inputs);

/// Extensions of VS Code for this environment: Python with debugger, Pylint, Black and Jupyter, Git; for devel C++ and Nsight,
/// too.
std::vector<std::string> editor_extensions(const Environment& environment);

/// The members of VS Code's settings for this environment. Outside of the container the interpreter's path names nothing, and
/// the Python extension looks for one itself: `.venv` of the folder, then others
/// (vscode-python-environments, "Python Interpreter Selection": invalid paths fall through to auto-discovery).
void write_editor_settings(util::JsonWriter& json, const std::string& interpreter_path);

/// .vscode/settings.json, launch.json and extensions.json.
Expected<Files> vscode(const Inputs& inputs);

/// A workflow: the lock and the files are current, the image builds, and validates; beside it the same on a runner with GPUs,
/// where a variable says that there is one. A project without a Dockerfile proves what its setup.sh makes.
///
/// github: `.github/workflows/envgen.yml`. The GPU's runner has the labels `self-hosted` and `gpu` where none are named.
/// gitlab: `.gitlab/envgen.gitlab-ci.yml`, which a project's own `.gitlab-ci.yml` includes; where there is none, it is proposed.
/// The GPU's runner has the tag `gpu` where none is named.
///
/// Errors (usage): no service is named; the project makes neither a Dockerfile nor a setup.sh.
Expected<Files> ci(const Inputs& inputs);

/// The images that the jobs run in, as they are named without a digest; those of GitHub run in none.
std::vector<std::string> ci_images(const Inputs& inputs);

}  // namespace envgen::files
