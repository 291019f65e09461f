#include "files/options.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "files/extensions.hpp"
#include "files/gpu_selection.hpp"
#include "files/grammar.hpp"
#include "model/spelling.hpp"
#include "util/pattern.hpp"

namespace envgen::files {
namespace {

/// A requirement of pip. What the environment decides is not said a second time.
Expected<void> check_requirement(std::string_view text, const std::string& where) {
  if (auto checked = check_pip_requirement(text, where); !checked) return checked;
  constexpr std::array<std::string_view, 4> decided{"torch", "torchvision", "torchaudio", "tensorflow"};
  const auto name = requirement_name(text);
  if (std::find(decided.begin(), decided.end(), name) != decided.end())
    return fail(ErrorCode::usage, fmt::format("{} names {}, which the environment itself decides", in_quotes(text), name), where,
                {fmt::format("say it of the environment: --{} VERSION", name)});
  // https://github.com/microsoft/torchscale/issues/18
  if (name == "apex")
    return fail(ErrorCode::usage, fmt::format("{} of the package index is not NVIDIA's apex", in_quotes(text)), where,
                {"--needs-nvcc brings what NVIDIA's is built with, from github.com/NVIDIA/apex"});
  return {};
}

/// An index of wheels: the tag is added to the address, `/cu126`.
Expected<void> check_wheel_index(std::string_view text, const std::string& where) {
  if (auto checked = check_base_url(text, where); !checked) return checked;
  static const util::Pattern of_one_tag(".*/(cpu|cu[0-9]+|rocm[0-9.]+|xpu)/*");
  if (!of_one_tag.matches(text)) return {};
  return fail(ErrorCode::usage, fmt::format("{} is the index of one kind of build", in_quotes(text)), where,
              {"name the address above it, as https://download.pytorch.org/whl is"});
}

Expected<void> check_service(std::string_view text, const std::string& where) {
  if (text == "github" || text == "gitlab") return {};
  return fail(ErrorCode::usage, fmt::format("no workflow is known for {}", in_quotes(text)), where,
              {"there are github and gitlab"});
}

constexpr std::array<OptionRow, 25> all_option_rows{{
    {"apt", "--apt", "NAME", "Image", 0, "a package of the system to install besides (repeatable)",
     "More packages of the system.", R"(["libgl1"])", &Options::apt, check_apt_package},
    {"pip", "--pip", "SPEC", "Image", 1, "a requirement of pip to install besides (repeatable): 'numpy<2'",
     "More requirements of pip.", R"(["numpy<2"])", &Options::pip, check_requirement},
    {"needs_nvcc", "--needs-nvcc", "", "Image", 10,
     "CUDA code is to be compiled, so devel is chosen; so it is where a --pip is known to compile: flash-attn, deepspeed",
     "Why CUDA code is compiled later, so that devel is chosen; a known pip requirement chooses it, too.", R"("our own kernels")",
     &Options::needs_nvcc},
    {"user", "--user", "NAME", "Image", 2, "who runs in the container (default: dev)", "Who runs in the container.", R"("dev")",
     &Options::user, check_user_name},
    {"base_image", "--base-image", "IMAGE", "Image", 3, "the image to start from, in place of the published one",
     "The image to start from, in place of the published one.", R"("registry.example.org/base:1.0")", &Options::base_image,
     check_image},
    {"image_name", "--image-name", "IMAGE", "Image", 9, "what the built image is called (default: envgen)",
     "What the built image is called.", R"("my-project")", &Options::image_name, check_image},
    {"pip_index", "--pip-index", "URL", "Image", 4,
     "the package index to install from, in place of the one pip is configured with", "The package index to install from.",
     R"("https://mirror.example.org/simple")", &Options::pip_index, check_url, true},
    {"mirror", "--mirror", "NAME", "Image", 5,
     "a known mirror for apt, pip, conda and PyTorch's wheels, as far as it has them; 'envgen list mirrors' names all",
     "A known mirror for apt, pip, conda and PyTorch's wheels, as far as it has them.", R"("tuna")", &Options::mirror, nullptr,
     true},
    {"apt_mirror", "--apt-mirror", "URL", "Image", 6,
     "an archive in place of the distribution's own: http://mirror.example.org/ubuntu",
     "An archive in place of the distribution's own.", R"("http://mirror.example.org/ubuntu")", &Options::apt_mirror,
     check_base_url, true},
    {"conda_mirror", "--conda-mirror", "URL", "Image", 7, "where the channels are, in place of https://conda.anaconda.org",
     "Where conda's channels are, in place of https://conda.anaconda.org.", R"("https://mirror.example.org/conda")",
     &Options::conda_mirror, check_base_url, true},
    {"torch_mirror", "--torch-mirror", "URL", "Image", 8, "an index in place of https://download.pytorch.org/whl",
     "An index in place of https://download.pytorch.org/whl.", R"("https://mirror.example.org/torch")", &Options::torch_mirror,
     check_wheel_index, true},
    {"container_gpus", "--container-gpus", "GPUS", "Container", 17,
     "the GPUs that a container gets: all (default), none, 2, device=0,1, device=0:0 (a MIG slice), GPU-UUID, MIG-UUID",
     "The GPUs that a container gets: \"all\", \"none\", \"2\", \"device=0,1\", the UUID of a GPU or a MIG slice.",
     R"("device=0")", &Options::container_gpus},
    {"shm_size", "--shm-size", "SIZE", "Container", 18, "a /dev/shm of its own, of that size, in place of the host's: 8g",
     "A /dev/shm of its own in place of the host's.", R"("8g")", &Options::shm_size, check_size},
    {"ca_cert", "--ca-cert", "FILE", "Image", 15,
     "a file of certificates, for a network that intercepts TLS; a build is given it as a secret, which stays in no layer",
     "A file of certificates, for a network that intercepts TLS; a build is given it as a secret.", R"("certificates.pem")",
     &Options::ca_cert, check_path, true},
    {"ci_for", "--for", "github|gitlab", "Workflow", 20, "whose workflow ci is",
     "Whose workflow \"ci\" is: \"github\" or \"gitlab\".", R"("github")", &Options::ci_for, check_service, true},
    {"envgen_source", "--envgen-source", "URL", "Workflow", 21,
     "the repository that the workflow builds envgen from (default: its variable ENVGEN_SOURCE says it)",
     "The repository that the workflow builds envgen from; else its variable ENVGEN_SOURCE says it.",
     R"("https://git.example.org/envgen.git")", &Options::envgen_source, check_repository, true},
    {"envgen_ref", "--envgen-ref", "REF", "Workflow", 22,
     "a tag or a commit of that repository (default: the variable ENVGEN_REF says it)",
     "A tag or a commit of that repository; else the variable ENVGEN_REF says it.", R"("v1.0.0")", &Options::envgen_ref,
     check_git_ref, true},
    {"gpu_runner", "--gpu-runner", "LABEL", "Workflow", 23,
     "a label that the workflow's runner with GPUs has (repeatable; default: self-hosted and gpu; gitlab: gpu)",
     "What the workflow's runner with GPUs is labelled with.", R"(["self-hosted", "gpu"])", &Options::gpu_runner,
     check_runner_label},
    {"explicit_toolkit", "--explicit-toolkit", "", "Image", 11,
     "environment.yaml and setup.sh of conda hold nvcc of torch's CUDA, as they do where something compiles",
     "true: environment.yaml and setup.sh of conda hold nvcc, as they do where something compiles.", "true",
     &Options::explicit_toolkit},
    {"multi_stage", "--multi-stage", "", "Image", 12,
     "a devel Dockerfile compiles in one stage, and the image is a plain system with what came of it",
     "true: a devel Dockerfile compiles in one stage, and the image is a plain system with what came of it.", "true",
     &Options::multi_stage},
    {"jupyter", "--jupyter", "", "Image", 13, "install JupyterLab; './run.sh jupyter' starts it, on this machine's port 8888",
     "true: JupyterLab is installed; './run.sh jupyter' starts it.", "true", &Options::jupyter},
    {"ssh", "--ssh", "", "Image", 14, "install sshd; './run.sh ssh' starts it on this machine's port 2222, for your public keys",
     "true: sshd is installed; './run.sh ssh' starts it for your public keys.", "true", &Options::ssh},
    {"gpu_required", "--require-gpu", "", "Container", 19,
     "the dev container asks for a machine with a GPU (else it uses one where there is one)",
     "true: the dev container asks for a machine with a GPU; else it uses one where there is one.", "true",
     &Options::gpu_required},
    {"podman", "--podman", "", "Container", 24, "for podman in place of docker: GPUs by their CDI names",
     "true: for podman in place of docker.", "true", &Options::podman},
    {"classic", "--classic", "", "Image", 16, "for the builder before BuildKit: no cache mounts, no secrets",
     "true: for the builder before BuildKit.", "true", &Options::classic},
}};

}  // namespace

std::span<const OptionRow> option_rows() { return all_option_rows; }

Expected<void> check_options(const Options& options) {
  for (const auto& row : all_option_rows) {
    std::vector<GivenText> said;
    if (const auto* text = std::get_if<OneText>(&row.value)) said.push_back(options.*(*text));
    if (const auto* texts = std::get_if<Texts>(&row.value)) said = options.*(*texts);
    for (const auto& text : said) {
      if (row.check == nullptr || text.value.empty()) continue;
      if (auto checked = row.check(text.value, text.where); !checked) return checked;
    }
  }
  if (auto selection = gpu_selection(options); !selection) return tl::unexpected(std::move(selection.error()));
  if (options.gpu_required && options.container_gpus.value == "none")
    return fail(ErrorCode::usage, "no GPU is given to the container, so none can be required", "--require-gpu",
                {"leave out --container-gpus none"});
  if (options.classic && !options.ca_cert.value.empty())
    return fail(ErrorCode::usage, "the classic builder has no secrets, and a certificate must be in no layer",
                options.ca_cert.where, {"leave out --classic: BuildKit is the default builder since Docker 23"});
  return {};
}

}  // namespace envgen::files
