#include "files/conda_packages.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/choices.hpp"
#include "model/version.hpp"

namespace envgen::files {
namespace {

bool is_arm(const Environment& environment) { return environment.platform == Platform::linux_aarch64; }

/// nvcc takes compilers up to one that the toolkit knows.
std::string compiler(const Environment& environment) {
  const auto name = is_arm(environment) ? "gxx_linux-aarch64" : "gxx_linux-64";
  return environment.toolkit().gcc_max ? fmt::format("{}<{}", name, *environment.toolkit().gcc_max + 1) : std::string(name);
}

bool has_nvcc(const Environment& environment) {
  if (is_of_pytorch_channel(environment)) return environment.toolkit().conda_label && environment.toolkit().version;
  return environment.build().cuda >= Version(12, 0);
}

tl::unexpected<Error> no_nvcc(const Environment& environment) {
  return fail(ErrorCode::usage,
              fmt::format("no known channel provides nvcc for CUDA {}", spelling_or(environment.build().cuda, "")),
              "--explicit-toolkit", {"an nvidia/cuda image has it: --installer pip --variant devel"});
}

Expected<void> check(const Inputs& inputs) {
  if (!inputs.options.explicit_toolkit || inputs.environment.build().cuda) return {};
  return fail(ErrorCode::usage, "this is a CPU build, which has no CUDA toolkit", "--explicit-toolkit", {"leave out --cuda cpu"});
}

Expected<CondaPackages> with_toolkit(const Environment& environment, CondaPackages packages) {
  if (!has_nvcc(environment)) return no_nvcc(environment);
  const auto& minor = *environment.build().cuda;
  if (is_of_pytorch_channel(environment)) {
    packages.channels.insert(packages.channels.begin(), *environment.toolkit().conda_label);
    packages.specs.push_back("cuda-toolkit=" + environment.toolkit().version->to_string());
    for (const auto* part : {"cuda-nvcc", "cuda-cudart-dev", "cuda-cccl"})
      packages.specs.push_back(fmt::format("{}={}", part, minor));
  } else {
    packages.specs.emplace_back("cuda-nvcc");
    packages.specs.emplace_back("cuda-libraries-dev");
  }
  packages.specs.push_back(compiler(environment));
  return packages;
}

}  // namespace

bool wants_conda_toolkit(const Inputs& inputs) {
  const auto& environment = inputs.environment;
  if (!environment.build().cuda) return false;
  return inputs.options.explicit_toolkit || (environment.variant == Variant::devel && has_nvcc(environment));
}

bool brings_conda_toolkit(const Environment& environment) {
  return environment.base == Base::slim && environment.variant == Variant::devel && environment.installer == Installer::conda &&
         environment.build().cuda && has_nvcc(environment);
}

Expected<CondaPackages> conda_packages_with_toolkit(const Inputs& inputs) {
  if (auto checked = check(inputs); !checked) return tl::unexpected(std::move(checked.error()));
  auto packages = conda_packages(inputs);
  if (!packages || !wants_conda_toolkit(inputs)) return packages;
  return with_toolkit(inputs.environment, std::move(*packages));
}

std::string conda_toolkit_headers(const Environment& environment) {
  return is_arm(environment) ? "targets/sbsa-linux/include" : "targets/x86_64-linux/include";
}

std::string conda_compiler(const Environment& environment) {
  return is_arm(environment) ? "aarch64-conda-linux-gnu" : "x86_64-conda-linux-gnu";
}

}  // namespace envgen::files
