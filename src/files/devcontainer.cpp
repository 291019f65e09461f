#include "files/kinds.hpp"

#include <fmt/format.h>

#include "files/container_flags.hpp"
#include "files/index_login.hpp"
#include "files/interpreter.hpp"
#include "files/notes.hpp"
#include "files/summary.hpp"
#include "files/template.hpp"

namespace envgen::files {
namespace {

constexpr int jupyter_port = 8888;

/// What is given to `docker run` besides. The Dev Containers CLI adds `--gpus all` of its own where hostRequirements ask for a
/// GPU and the engine has NVIDIA's runtime, so only another selection than all, or CDI devices, stand here
/// (devcontainers/cli, src/spec-node/utils.ts: checkDockerSupportForGPU).
std::vector<std::string> run_arguments(const Inputs& inputs, const GpuSelection& selection) {
  auto flags = resource_flags(inputs);
  if (inputs.podman()) flags.push_back({{"--userns=keep-id"}, "files in the mount belong to the user who starts this"});
  if (inputs.cdi() || !selection.all) {
    for (auto& flag : gpu_flags(selection, inputs.cdi())) flags.push_back(std::move(flag));
  }
  std::vector<std::string> words;
  for (const auto& flag : flags) words.insert(words.end(), flag.words.begin(), flag.words.end());
  return words;
}

void write_build(util::JsonWriter& json, const Inputs& inputs) {
  const auto& options = inputs.options;
  json.key("build").begin_object();
  if (inputs.makes_dockerfile()) {  // that one is built, from the folder that its COPY means
    json.member("dockerfile", "../Dockerfile").member("context", "..");
  } else {
    json.member("dockerfile", "Dockerfile");
  }
  std::vector<std::string> secrets;
  if (const auto& file = options.ca_cert.value; !file.empty()) {
    const std::string_view folder = file.front() == '/' ? "" : "${localWorkspaceFolder}/";
    secrets = {"--secret", fmt::format("id=ca-cert,src={}{}", folder, file)};
  }
  // Where nobody has one, it is empty.
  if (may_need_login(options)) secrets.insert(secrets.end(), {"--secret", "id=netrc,src=${localEnv:NETRC:/dev/null}"});
  if (!secrets.empty()) json.member("options", secrets);
  json.end_object();
}

std::string config(const Inputs& inputs, const GpuSelection& selection) {
  const auto& options = inputs.options;
  util::JsonWriter json(2);
  json.begin_object().member("name", options.image_name.value);
  write_build(json, inputs);
  if (!inputs.cdi() && selection.all) {
    json.key("hostRequirements").begin_object();
    if (options.gpu_required) {
      json.member("gpu", true);
    } else {
      json.member("gpu", "optional");
    }
    json.end_object();
  }
  json.member("runArgs", run_arguments(inputs, selection));
  json.member("remoteUser", options.user.value);
  // Models and kernels that were fetched or compiled once outlive the container.
  json.key("mounts").begin_array();
  json.value(fmt::format("source=envgen-cache-{},target=/home/{}/.cache,type=volume", "${devcontainerId}", options.user.value));
  json.end_array();
  json.key("forwardPorts").begin_array().value(jupyter_port).end_array();
  json.key("portsAttributes").begin_object().key(std::to_string(jupyter_port)).begin_object();
  json.member("label", "Jupyter").member("onAutoForward", "silent").end_object().end_object();
  json.key("customizations").begin_object().key("vscode").begin_object();
  json.member("extensions", editor_extensions(inputs.environment)).key("settings").begin_object();
  write_editor_settings(json, interpreter(inputs.environment));
  json.end_object().end_object().end_object().end_object();
  return json.take();
}

}  // namespace

Expected<Files> devcontainer(const Inputs& inputs) {
  const auto selection = container_gpus(inputs);
  if (!selection) return tl::unexpected(selection.error());
  if (inputs.options.gpu_required && selection->none())
    return fail(ErrorCode::usage, "this is a CPU build, so a GPU cannot be required", "--require-gpu", {"leave out --cuda cpu"});
  auto image = dockerfile(inputs);
  if (!image) return image;
  View view;
  view.text("title", title(inputs.environment)).text("body", config(inputs, *selection));
  view.texts("notes", install_notes(inputs, RunsIn::image)).flag("netrc", may_need_login(inputs.options));
  auto file = made_file(".devcontainer/devcontainer.json", "jsonc", std::move(view));
  if (!file) return tl::unexpected(std::move(file.error()));
  Files files{std::move(*file)};
  if (inputs.makes_dockerfile()) return files;
  for (auto& one : *image) {
    if (one.proposed) continue;  // beside devcontainer.json there is nothing to leave out
    one.path = ".devcontainer/" + one.path;
    one.needed = true;
    files.push_back(std::move(one));
  }
  return files;
}

}  // namespace envgen::files
