#include "files/options.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "files/gpu_selection.hpp"
#include "files/grammar.hpp"
#include "files/requirement.hpp"
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
    return fail(ErrorCode::usage, fmt::format("{} names {}, which the environment decides", in_quotes(text), name), where,
                {fmt::format("request it for the environment: --{} VERSION", name)});
  // Each brings the same Python package, tensorflow, over which the last one installed prevails.
  constexpr std::array<std::string_view, 8> tensorflows{"intel-tensorflow", "tensorflow-cpu",  "tensorflow-gpu",
                                                        "tensorflow-intel", "tensorflow-rocm", "tf-nightly",
                                                        "tf-nightly-cpu",   "tf-nightly-gpu"};
  if (std::find(tensorflows.begin(), tensorflows.end(), name) != tensorflows.end())
    return fail(ErrorCode::usage, fmt::format("{} is another TensorFlow, which the environment decides", in_quotes(text)), where,
                {"request it for the environment: --tensorflow VERSION"});
  if (name == "pytorch")
    return fail(ErrorCode::usage, fmt::format("{} on the package index is not PyTorch, whose package is torch", in_quotes(text)),
                where, {"request it for the environment: --torch VERSION"});
  // https://github.com/microsoft/torchscale/issues/18
  if (name == "apex")
    return fail(ErrorCode::usage, fmt::format("{} on the package index is not NVIDIA's apex", in_quotes(text)), where,
                {"--needs-nvcc installs what NVIDIA's apex is built with; its source is github.com/NVIDIA/apex"});
  return {};
}

/// An index of wheels: the tag is added to the address, `/cu126`.
Expected<void> check_wheel_index(std::string_view text, const std::string& where) {
  if (auto checked = check_base_url(text, where); !checked) return checked;
  static const util::Pattern of_one_tag(".*/(cpu|cu[0-9]+|rocm[0-9.]+|xpu)/*");
  if (!of_one_tag.matches(text)) return {};
  return fail(ErrorCode::usage, fmt::format("{} is the index for one kind of build", in_quotes(text)), where,
              {"use the parent address, such as https://download.pytorch.org/whl"});
}

Expected<void> check_service(std::string_view text, const std::string& where) {
  if (text == "github" || text == "gitlab") return {};
  return fail(ErrorCode::usage, fmt::format("{} is not a known CI service", in_quotes(text)), where, {"use github or gitlab"});
}

constexpr std::array<OptionRow, 27> all_option_rows{{
    {"apt", "--apt", "NAME", "Image", 0, "an additional system package to install (repeatable)", "Additional system packages.",
     R"(["libgl1"])", &Options::apt, check_apt_package, true, grammar::apt_package},
    {"pip", "--pip", "SPEC", "Image", 1, "an additional pip requirement to install (repeatable): 'numpy<2'",
     "Additional pip requirements.", R"(["numpy<2"])", &Options::pip, check_requirement, true, grammar::pip_requirement},
    {"needs_nvcc", "--needs-nvcc", "", "Image", 10,
     "CUDA code will be compiled, so choose devel; implied by a --pip package known to need it: flash-attn, deepspeed",
     "Set this if CUDA code will be compiled: any text, such as the reason. It selects devel, as does a pip requirement known to "
     "compile.",
     R"("our own kernels")", &Options::needs_nvcc},
    {"user", "--user", "NAME", "Image", 2, "the user in the container (default: dev)", "The user in the container.", R"("dev")",
     &Options::user, check_user_name, false, grammar::user_name},
    {"base_image", "--base-image", "IMAGE", "Image", 3, "the base image to use instead of the one envgen picks",
     "The base image to use instead of the one envgen picks.", R"("registry.example.org/base:1.0")", &Options::base_image,
     check_image, false, grammar::image},
    {"image_name", "--image-name", "IMAGE", "Image", 9, "the name of the built image (default: envgen)",
     "The name of the built image.", R"("my-project")", &Options::image_name, check_image, false, grammar::image},
    {"pip_index", "--pip-index", "URL", "Image", 4,
     "the package index to install from, instead of the one pip is configured to use", "The package index to install from.",
     R"("https://mirror.example.org/simple")", &Options::pip_index, check_url, true, grammar::url},
    {"mirror", "--mirror", "NAME", "Image", 5,
     "a known mirror, used for whichever of apt, pip, conda and PyTorch wheels it hosts; see 'envgen list mirrors'",
     "A known mirror, used for whichever of apt, pip, conda and PyTorch wheels it hosts.", R"("tuna")", &Options::mirror, nullptr,
     true},
    {"apt_mirror", "--apt-mirror", "URL", "Image", 6,
     "the apt archive to use instead of the distribution's: http://mirror.example.org/ubuntu",
     "The apt archive to use instead of the distribution's.", R"("http://mirror.example.org/ubuntu")", &Options::apt_mirror,
     check_base_url, true, grammar::url},
    {"conda_mirror", "--conda-mirror", "URL", "Image", 7,
     "the base URL for conda channels, instead of https://conda.anaconda.org",
     "The base URL for conda channels, instead of https://conda.anaconda.org.", R"("https://mirror.example.org/conda")",
     &Options::conda_mirror, check_base_url, true, grammar::url},
    {"torch_mirror", "--torch-mirror", "URL", "Image", 8, "the wheel index to use instead of https://download.pytorch.org/whl",
     "The wheel index to use instead of https://download.pytorch.org/whl.", R"("https://mirror.example.org/torch")",
     &Options::torch_mirror, check_wheel_index, true, grammar::url},
    {"container_gpus", "--container-gpus", "GPUS", "Container", 17,
     "the GPUs that a container gets: all (default), none, 2, device=0,1, device=0:0 (a MIG slice), GPU-UUID, MIG-UUID",
     "The GPUs that a container gets: \"all\", \"none\", \"2\", \"device=0,1\", the UUID of a GPU or a MIG slice.",
     R"("device=0")", &Options::container_gpus},
    {"shm_size", "--shm-size", "SIZE", "Container", 18,
     "give the container its own /dev/shm of this size, instead of the host's: 8g",
     "The size of the container's own /dev/shm, instead of the host's.", R"("8g")", &Options::shm_size, check_size, false,
     grammar::size},
    {"ca_cert", "--ca-cert", "FILE", "Image", 15,
     "a file of CA certificates for a network that intercepts TLS; a build secret, not stored in any image layer",
     "A file of CA certificates for a network that intercepts TLS; passed to the build as a secret.", R"("certificates.pem")",
     &Options::ca_cert, check_path, true, grammar::path},
    {"ci_for", "--for", "github|gitlab", "Workflow", 20, "the CI service of the workflow",
     "The CI service that \"ci\" is for: \"github\" or \"gitlab\".", R"("github")", &Options::ci_for, check_service, true},
    {"envgen_url", "--envgen-url", "URL", "Workflow", 21,
     "the URL of envgen's releases, or of a mirror (default: the workflow's variable ENVGEN_RELEASES_URL)",
     "The URL of envgen's releases, or of a mirror; the default is the workflow's variable ENVGEN_RELEASES_URL.",
     R"("https://mirror.example.org/envgen")", &Options::envgen_url, check_base_url, true, grammar::url},
    {"envgen_version", "--envgen-version", "VERSION", "Workflow", 22,
     "the release the workflow uses (default: its variable ENVGEN_VERSION)",
     "The release the workflow uses; the default is its variable ENVGEN_VERSION.", R"("1.0.0")", &Options::envgen_version,
     check_envgen_version, true, grammar::envgen_version},
    {"envgen_sha256", "--envgen-sha256", "SHA256", "Workflow", 23,
     "the SHA-256 of that release's tarball, from its SHA256SUMS (default: the variable ENVGEN_SHA256)",
     "The SHA-256 of that release's tarball, from its SHA256SUMS; the default is the variable ENVGEN_SHA256.",
     R"("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")", &Options::envgen_sha256, check_sha256, true,
     grammar::sha256},
    {"gpu_runner", "--gpu-runner", "LABEL", "Workflow", 26,
     "a label of the workflow's GPU runner (repeatable; default: self-hosted and gpu; gitlab: gpu)",
     "The labels of the workflow's GPU runner.", R"(["self-hosted", "gpu"])", &Options::gpu_runner, check_runner_label, false,
     grammar::runner_label},
    {"explicit_toolkit", "--explicit-toolkit", "", "Image", 11,
     "add nvcc for torch's CUDA version to environment.yaml (conda) and setup.sh even if nothing is compiled",
     "true: adds nvcc to environment.yaml (conda) and setup.sh, as when something is compiled.", "true",
     &Options::explicit_toolkit},
    {"multi_stage", "--multi-stage", "", "Image", 12,
     "compile in a separate devel stage of the Dockerfile, and copy the results into a slim image",
     "true: the Dockerfile compiles in a separate devel stage, and copies the results into a slim image.", "true",
     &Options::multi_stage},
    {"no_compiler", "--no-compiler", "", "Image", 25,
     "omit g++ and the Python headers (torch.compile needs them) from a runtime image",
     "true: omits g++ and the Python headers (torch.compile needs them) from a runtime image.", "true", &Options::no_compiler},
    {"jupyter", "--jupyter", "", "Image", 13, "install JupyterLab; './run.sh jupyter' starts it on the host's port 8888",
     "true: installs JupyterLab; './run.sh jupyter' starts it.", "true", &Options::jupyter},
    {"ssh", "--ssh", "", "Image", 14,
     "install sshd; './run.sh ssh' starts it on the host's port 2222, with your public keys authorised",
     "true: installs sshd; './run.sh ssh' starts it with your public keys authorised.", "true", &Options::ssh},
    {"gpu_required", "--require-gpu", "", "Container", 19,
     "the dev container requires a GPU on the host (by default, it uses one if present)",
     "true: the dev container requires a GPU on the host; by default, it uses one if present.", "true", &Options::gpu_required},
    {"podman", "--podman", "", "Container", 24, "generate for podman instead of docker: GPUs as CDI devices",
     "true: generates for podman instead of docker.", "true", &Options::podman},
    {"legacy_builder", "--legacy-builder", "", "Image", 16,
     "generate for the legacy builder (before BuildKit): no cache mounts, no secrets",
     "true: generates for the legacy builder (before BuildKit).", "true", &Options::legacy_builder},
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
    return fail(ErrorCode::usage, "the container gets no GPU, so none can be required", "--require-gpu",
                {"leave out --container-gpus none"});
  if (options.legacy_builder && !options.ca_cert.value.empty())
    return fail(ErrorCode::usage, "the legacy builder has no secrets, and certificates must not be stored in a layer",
                options.ca_cert.where, {"leave out --legacy-builder: BuildKit is the default builder since Docker 23"});
  return {};
}

}  // namespace envgen::files
