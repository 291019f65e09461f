#include "output/options.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "output/extensions.hpp"
#include "output/gpu_selection.hpp"
#include "output/grammar.hpp"
#include "util/pattern.hpp"

namespace envgen::output {
namespace {

/// What the environment decides is not said a second time.
Expected<void> refuse_framework(const Text& requirement) {
  constexpr std::array<std::string_view, 4> decided{"torch", "torchvision", "torchaudio", "tensorflow"};
  const auto name = requirement_name(requirement.value);
  if (std::find(decided.begin(), decided.end(), name) == decided.end()) return {};
  return fail(ErrorCode::usage,
              fmt::format("{} names {}, which the environment itself decides", in_quotes(requirement.value), name),
              requirement.where, {fmt::format("say it of the environment: --{} VERSION", name)});
}

/// https://github.com/microsoft/torchscale/issues/18
Expected<void> refuse_other_apex(const Text& requirement) {
  if (requirement_name(requirement.value) != "apex") return {};
  return fail(ErrorCode::usage, fmt::format("{} of the package index is not NVIDIA's apex", in_quotes(requirement.value)),
              requirement.where, {"--needs-nvcc brings what NVIDIA's is built with, from github.com/NVIDIA/apex"});
}

/// The tag is added to the address: `/cu126`.
Expected<void> refuse_index_of_one_tag(const Text& mirror) {
  if (mirror.value.empty()) return {};
  static const util::Pattern of_one_tag(".*/(cpu|cu[0-9]+|rocm[0-9.]+|xpu)/*");
  if (!of_one_tag.matches(mirror.value)) return {};
  return fail(ErrorCode::usage, fmt::format("{} is the index of one kind of build", in_quotes(mirror.value)), mirror.where,
              {"name the address above it, as https://download.pytorch.org/whl is"});
}

Expected<void> check_workflow(const Options& options) {
  if (const auto& service = options.ci_for; !service.value.empty() && service.value != "github" && service.value != "gitlab")
    return fail(ErrorCode::usage, fmt::format("no workflow is known for {}", in_quotes(service.value)), service.where,
                {"there are github and gitlab"});
  if (const auto& source = options.envgen_source; !source.value.empty()) {
    if (auto checked = check_repository(source.value, source.where); !checked) return checked;
  }
  if (const auto& ref = options.envgen_ref; !ref.value.empty()) {
    if (auto checked = check_git_ref(ref.value, ref.where); !checked) return checked;
  }
  for (const auto& label : options.gpu_runner) {
    if (auto checked = check_runner_label(label.value, label.where); !checked) return checked;
  }
  return {};
}

}  // namespace

Expected<void> check_options(const Options& options) {
  for (const auto& package : options.apt) {
    if (auto checked = check_apt_package(package.value, package.where); !checked) return checked;
  }
  for (const auto& requirement : options.pip) {
    if (auto checked = check_pip_requirement(requirement.value, requirement.where); !checked) return checked;
    if (auto checked = refuse_framework(requirement); !checked) return checked;
    if (auto checked = refuse_other_apex(requirement); !checked) return checked;
  }
  if (auto checked = check_user_name(options.user.value, options.user.where); !checked) return checked;
  if (!options.base_image.value.empty()) {
    if (auto checked = check_image(options.base_image.value, options.base_image.where); !checked) return checked;
  }
  if (!options.pip_index.value.empty()) {
    if (auto checked = check_url(options.pip_index.value, options.pip_index.where); !checked) return checked;
  }
  for (const auto* url : {&options.apt_mirror, &options.conda_mirror, &options.torch_mirror}) {
    if (url->value.empty()) continue;
    if (auto checked = check_base_url(url->value, url->where); !checked) return checked;
  }
  if (auto checked = refuse_index_of_one_tag(options.torch_mirror); !checked) return checked;
  if (auto checked = check_image(options.image_name.value, options.image_name.where); !checked) return checked;
  if (!options.shm_size.value.empty()) {
    if (auto checked = check_size(options.shm_size.value, options.shm_size.where); !checked) return checked;
  }
  if (auto selection = gpu_selection(options); !selection) return tl::unexpected(std::move(selection.error()));
  if (options.gpu_required && options.container_gpus.value == "none")
    return fail(ErrorCode::usage, "no GPU is given to the container, so none can be required", "--require-gpu",
                {"leave out --container-gpus none"});
  if (!options.ca_cert.value.empty()) {
    if (auto checked = check_path(options.ca_cert.value, options.ca_cert.where); !checked) return checked;
  }
  if (auto checked = check_workflow(options); !checked) return checked;
  if (options.classic && !options.ca_cert.value.empty())
    return fail(ErrorCode::usage, "the classic builder has no secrets, and a certificate must be in no layer",
                options.ca_cert.where, {"leave out --classic: BuildKit is the default builder since Docker 23"});
  return {};
}

}  // namespace envgen::output
