#include "output/conda_packages.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "model/capability.hpp"
#include "output/packages.hpp"

namespace envgen::output {
namespace {

/// Which build of the pytorch channel it is. Nothing else keeps a solver from a CPU build, whose requirements are fewer: they are
/// called `py3.12_cuda12.4_cudnn9.1.0_0` and `py3.12_cpu_0` (pytorch/builder@021cb711 conda/build_pytorch.sh).
std::string build_string(const Environment::FrameworkBuild& torch) {
  return torch.cuda ? fmt::format("=*_cuda{}_*", *torch.cuda) : "=*_cpu_*";
}

}  // namespace

bool is_of_pytorch_channel(const Environment& environment) {
  const auto& channels = environment.build().conda_channels;
  return !channels.empty() && channels.front() == "pytorch";
}

Expected<CondaPackages> conda_packages(const Subject& subject) {
  const auto& environment = subject.environment;
  if (!environment.torch || !environment.torch->conda_spec)
    return fail(ErrorCode::usage, "this environment is not one of conda", "--installer", {"--installer conda"});
  const auto& torch = *environment.torch;
  CondaPackages result;
  result.channels = torch.conda_channels;
  // Python and what torch leans on come from here.
  if (std::find(result.channels.begin(), result.channels.end(), "conda-forge") == result.channels.end())
    result.channels.emplace_back("conda-forge");
  result.specs.push_back("python=" + environment.python);
  const bool of_pytorch = is_of_pytorch_channel(environment);
  std::istringstream parts(*torch.conda_spec);
  for (std::string part; parts >> part;)
    result.specs.push_back(of_pytorch && part == "pytorch==" + torch.version ? part + build_string(torch) : part);
  // On the pytorch channel its companions were released with it; which conda-forge has was not read.
  if (of_pytorch) {
    if (torch.torchvision) result.specs.push_back("torchvision==" + *torch.torchvision);
    if (torch.torchaudio) result.specs.push_back("torchaudio==" + *torch.torchaudio);
  }
  const auto ceilings = pins(environment);
  result.specs.insert(result.specs.end(), ceilings.begin(), ceilings.end());
  if (!steps_after({}, extras(subject), subject.options).empty()) result.specs.emplace_back("pip");
  return result;
}

std::vector<std::pair<std::string, std::string>> conda_variables(const Environment& environment) {
  auto variables = environment.env;
  Capability weakest;
  for (const auto& board : environment.gpus) {
    const auto capability = Capability::parse(board.capability);
    if (capability && (weakest == Capability() || *capability < weakest)) weakest = *capability;
  }
  const bool overridden =
      std::any_of(variables.begin(), variables.end(), [](const auto& one) { return one.first == "CONDA_OVERRIDE_CUDA"; });
  if (overridden && weakest != Capability()) variables.emplace_back("CONDA_OVERRIDE_CUDA_ARCH", weakest.to_string());
  return variables;
}

}  // namespace envgen::output
