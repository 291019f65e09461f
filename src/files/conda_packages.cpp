#include "files/conda_packages.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>

#include "files/packages.hpp"
#include "files/requirement.hpp"
#include "model/capability.hpp"
#include "model/spelling.hpp"
#include "model/version.hpp"

namespace envgen::files {
namespace {

/// Which build of the pytorch channel it is. Nothing else keeps a solver from a CPU build, whose requirements are fewer: they are
/// called `py3.12_cuda12.4_cudnn9.1.0_0` and `py3.12_cpu_0` (pytorch/builder@021cb711 conda/build_pytorch.sh). cuDNN is inside.
/// Those of 1.7 name the update as well (`py3.8_cuda11.0.221_cudnn8.0.3_0`).
std::string build_string(const Environment& environment) {
  const auto& cuda = environment.torch->cuda;
  if (!cuda) return "=*_cpu_*";
  const auto& cudnn = environment.cudnn;
  const auto version = Version::parse(environment.torch->version);
  const auto named = fmt::format("{}{}", *cuda, version && version->under(Version(1, 7)) ? ".*" : "");
  return cudnn && cudnn->version ? fmt::format("=*_cuda{}_cudnn{}_*", named, *cudnn->version) : fmt::format("=*_cuda{}_*", named);
}

/// conda-forge brings CUDA and cuDNN as packages of their own. One version of each keeps a second runtime away: from CUDA 12 on
/// cuda-version holds all parts of CUDA to one minor, before it the runtime is one package
/// (conda-forge/cuda-version-feedstock, recipe/README.md).
std::vector<std::string> cuda_of_conda_forge(const Environment& environment) {
  const auto& cuda = environment.torch->cuda;
  if (!cuda) return {};
  std::vector<std::string> specs{fmt::format("{}={}", *cuda < Version(12, 0) ? "cudatoolkit" : "cuda-version", *cuda)};
  if (environment.cudnn && environment.cudnn->version) specs.push_back(fmt::format("cudnn={}", *environment.cudnn->version));
  return specs;
}

/// `setuptools` of `setuptools<82`, as PEP 503 normalises it.
bool names(const std::string& spec, const std::string& package) {
  return requirement_name(spec.substr(0, spec.find_first_of("=<>! "))) == package;
}

/// A package of two installers is two copies, of which either may be imported; and CUDA by pip beside conda's is the clash of two
/// runtimes itself.
Expected<void> refuse_second_installer(const std::vector<GivenText>& requirements, const std::vector<std::string>& specs) {
  constexpr std::array<std::string_view, 3> cuda_by_pip{"nvidia-cu", "nvidia-nccl", "nvidia-nv"};
  for (const auto& requirement : requirements) {
    const auto package = requirement_name(requirement.value);
    const auto by_conda = std::find_if(specs.begin(), specs.end(), [&](const auto& spec) { return names(spec, package); });
    if (by_conda != specs.end())
      return fail(ErrorCode::usage,
                  fmt::format("{} names a package that conda already installs here ({}); only one installer may install it",
                              in_quotes(requirement.value), *by_conda),
                  requirement.where, {"leave it out, or use --installer pip"});
    const auto brings_cuda = [&](std::string_view start) { return package.starts_with(start); };
    if (std::any_of(cuda_by_pip.begin(), cuda_by_pip.end(), brings_cuda))
      return fail(
          ErrorCode::usage,
          fmt::format("{} installs a CUDA library with pip beside the one that conda installs", in_quotes(requirement.value)),
          requirement.where, {"leave it out, or use --installer pip"});
  }
  return {};
}

}  // namespace

bool is_of_pytorch_channel(const Environment& environment) {
  const auto& channels = environment.build().conda_channels;
  return !channels.empty() && channels.front() == "pytorch";
}

Expected<CondaPackages> conda_packages(const Inputs& inputs) {
  const auto& environment = inputs.environment;
  if (!environment.torch || !environment.torch->conda_spec)
    return fail(ErrorCode::usage, fmt::format("this environment is for {}, not for conda", name_of(environment.installer)),
                "--installer", {"--installer conda"});
  const auto& torch = *environment.torch;
  CondaPackages result;
  result.channels = torch.conda_channels;
  // Python and what torch leans on come from here.
  if (std::find(result.channels.begin(), result.channels.end(), "conda-forge") == result.channels.end())
    result.channels.emplace_back("conda-forge");
  result.specs.push_back("python=" + environment.python.to_string());
  const bool of_pytorch = is_of_pytorch_channel(environment);
  std::istringstream parts(*torch.conda_spec);
  for (std::string part; parts >> part;)
    result.specs.push_back(of_pytorch && part == "pytorch==" + torch.version ? part + build_string(environment) : part);
  if (!of_pytorch) {
    const auto cuda = cuda_of_conda_forge(environment);
    result.specs.insert(result.specs.end(), cuda.begin(), cuda.end());
  }
  // On the pytorch channel its companions were released with it; which conda-forge has was not read.
  if (of_pytorch) {
    if (torch.torchvision) result.specs.push_back("torchvision==" + *torch.torchvision);
    if (torch.torchaudio) result.specs.push_back("torchaudio==" + *torch.torchaudio);
  }
  const auto ceilings = pins(environment);
  result.specs.insert(result.specs.end(), ceilings.begin(), ceilings.end());
  if (auto refused = refuse_second_installer(inputs.options.pip, result.specs); !refused)
    return tl::unexpected(std::move(refused.error()));
  if (!steps_after({}, extras(inputs), inputs.options).empty()) result.specs.emplace_back("pip");
  return result;
}

const std::string* overridden_cuda(const Environment& environment) {
  const auto found = std::find_if(environment.env.begin(), environment.env.end(),
                                  [](const auto& one) { return one.first == "CONDA_OVERRIDE_CUDA"; });
  return found == environment.env.end() ? nullptr : &found->second;
}

std::vector<std::pair<std::string, std::string>> conda_variables(const Environment& environment) {
  auto variables = environment.env;
  Capability weakest;
  for (const auto& board : environment.gpus) {
    if (weakest == Capability() || board.capability < weakest) weakest = board.capability;
  }
  if (overridden_cuda(environment) != nullptr && weakest != Capability())
    variables.emplace_back("CONDA_OVERRIDE_CUDA_ARCH", weakest.to_string());
  return variables;
}

}  // namespace envgen::files
