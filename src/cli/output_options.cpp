#include "cli/output_options.hpp"

#include <CLI/CLI.hpp>

#include "cli/request_options.hpp"

namespace envgen::cli {

void add_output_options(CLI::App& app, OutputFlags& flags) {
  const std::string group = "Image";
  app.add_option("--apt", flags.apt, "a package of the system to install besides (repeatable)")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--pip", flags.pip, "a requirement of pip to install besides (repeatable): 'numpy<2'")
      ->type_name("SPEC")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--user", flags.user, "who runs in the container (default: dev)")->type_name("NAME")->group(group);
  app.add_option("--base-image", flags.base_image, "the image to start from, in place of the published one")
      ->type_name("IMAGE")
      ->group(group);
  app.add_option("--pip-index", flags.pip_index, "the package index to install from, in place of the one pip is configured with")
      ->check(refuse_empty)
      ->type_name("URL")
      ->group(group);
  app.add_option("--mirror", flags.mirror,
                 "a known mirror for apt, pip, conda and PyTorch's wheels, as far as it has them: tuna, sjtug")
      ->check(refuse_empty)
      ->type_name("NAME")
      ->group(group);
  app.add_option("--apt-mirror", flags.apt_mirror,
                 "an archive in place of the distribution's own: http://mirror.example.org/ubuntu")
      ->check(refuse_empty)
      ->type_name("URL")
      ->group(group);
  app.add_option("--conda-mirror", flags.conda_mirror, "where the channels are, in place of https://conda.anaconda.org")
      ->check(refuse_empty)
      ->type_name("URL")
      ->group(group);
  app.add_option("--torch-mirror", flags.torch_mirror, "an index in place of https://download.pytorch.org/whl")
      ->check(refuse_empty)
      ->type_name("URL")
      ->group(group);
  app.add_option("--image-name", flags.image_name, "what the built image is called (default: envgen)")
      ->type_name("IMAGE")
      ->group(group);
  app.add_flag(
         "--needs-nvcc", flags.needs_nvcc,
         "CUDA code is to be compiled, so devel is chosen; so it is where a --pip is known to compile: flash-attn, deepspeed")
      ->group(group);
  app.add_flag("--explicit-toolkit", flags.explicit_toolkit,
               "environment.yaml and setup.sh of conda hold nvcc of torch's CUDA, as they do where something compiles")
      ->group(group);
  app.add_flag("--multi-stage", flags.multi_stage,
               "a devel Dockerfile compiles in one stage, and the image is a plain system with what came of it")
      ->group(group);
  app.add_flag("--jupyter", flags.jupyter, "install JupyterLab; './run.sh jupyter' starts it, on this machine's port 8888")
      ->group(group);
  app.add_flag("--ssh", flags.ssh, "install sshd; './run.sh ssh' starts it on this machine's port 2222, for your public keys")
      ->group(group);
  app.add_option(
         "--ca-cert", flags.ca_cert,
         "a file of certificates, for a network that intercepts TLS; a build is given it as a secret, which stays in no layer")
      ->check(refuse_empty)
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--classic", flags.classic, "for the builder before BuildKit: no cache mounts, no secrets")->group(group);
  const std::string container = "Container";
  app.add_option(
         "--container-gpus", flags.container_gpus,
         "the GPUs that a container gets: all (default), none, 2, device=0,1, device=0:0 (a MIG slice), GPU-UUID, MIG-UUID")
      ->type_name("GPUS")
      ->group(container);
  app.add_option("--shm-size", flags.shm_size, "a /dev/shm of its own, of that size, in place of the host's: 8g")
      ->type_name("SIZE")
      ->group(container);
  app.add_flag("--require-gpu", flags.gpu_required,
               "the dev container asks for a machine with a GPU (else it uses one where there is one)")
      ->group(container);
  const std::string workflow = "Workflow";
  app.add_option("--for", flags.ci_for, "whose workflow ci is")->check(refuse_empty)->type_name("github|gitlab")->group(workflow);
  app.add_option("--envgen-source", flags.envgen_source,
                 "the repository that the workflow builds envgen from (default: its variable ENVGEN_SOURCE says it)")
      ->check(refuse_empty)
      ->type_name("URL")
      ->group(workflow);
  app.add_option("--envgen-ref", flags.envgen_ref,
                 "a tag or a commit of that repository (default: the variable ENVGEN_REF says it)")
      ->check(refuse_empty)
      ->type_name("REF")
      ->group(workflow);
  app.add_option("--gpu-runner", flags.gpu_runner,
                 "a label that the workflow's runner with GPUs has (repeatable; default: self-hosted and gpu; gitlab: gpu)")
      ->type_name("LABEL")
      ->allow_extra_args(false)
      ->group(workflow);
  app.add_flag("--podman", flags.podman, "for podman in place of docker: GPUs by their CDI names")->group(container);
}

Expected<output::Options> output_options(const OutputFlags& flags, output::Options options) {
  for (const auto& package : flags.apt) options.apt.push_back({package, "--apt"});
  for (const auto& requirement : flags.pip) options.pip.push_back({requirement, "--pip"});
  const auto set = [](output::Text& option, const std::string& value, const char* flag) {
    if (!value.empty()) option = {value, flag};
  };
  set(options.user, flags.user, "--user");
  set(options.base_image, flags.base_image, "--base-image");
  set(options.pip_index, flags.pip_index, "--pip-index");
  set(options.mirror, flags.mirror, "--mirror");
  set(options.apt_mirror, flags.apt_mirror, "--apt-mirror");
  set(options.conda_mirror, flags.conda_mirror, "--conda-mirror");
  set(options.torch_mirror, flags.torch_mirror, "--torch-mirror");
  set(options.image_name, flags.image_name, "--image-name");
  set(options.container_gpus, flags.container_gpus, "--container-gpus");
  set(options.shm_size, flags.shm_size, "--shm-size");
  set(options.ca_cert, flags.ca_cert, "--ca-cert");
  set(options.ci_for, flags.ci_for, "--for");
  set(options.envgen_source, flags.envgen_source, "--envgen-source");
  set(options.envgen_ref, flags.envgen_ref, "--envgen-ref");
  if (!flags.gpu_runner.empty()) options.gpu_runner.clear();
  for (const auto& label : flags.gpu_runner) options.gpu_runner.push_back({label, "--gpu-runner"});
  if (flags.needs_nvcc) options.needs_nvcc = {"--needs-nvcc", "--needs-nvcc"};
  options.explicit_toolkit = options.explicit_toolkit || flags.explicit_toolkit;
  options.multi_stage = options.multi_stage || flags.multi_stage;
  options.jupyter = options.jupyter || flags.jupyter;
  options.ssh = options.ssh || flags.ssh;
  options.gpu_required = options.gpu_required || flags.gpu_required;
  options.podman = options.podman || flags.podman;
  options.classic = options.classic || flags.classic;
  if (auto checked = output::check_options(options); !checked) return tl::unexpected(std::move(checked.error()));
  return options;
}

}  // namespace envgen::cli
