#include "output/conda_packages.hpp"

#include <algorithm>
#include <sstream>

#include "model/capability.hpp"
#include "output/packages.hpp"

namespace envgen::output {

Expected<CondaPackages> conda_packages(const Environment& environment) {
  if (!environment.torch || !environment.torch->conda_spec)
    return fail(ErrorCode::usage, "this environment is not one of conda", "--installer", {"--installer conda"});
  const auto& torch = *environment.torch;
  CondaPackages result;
  result.channels = torch.conda_channels;
  // Python and what torch leans on come from here.
  if (std::find(result.channels.begin(), result.channels.end(), "conda-forge") == result.channels.end())
    result.channels.emplace_back("conda-forge");
  result.specs.push_back("python=" + environment.python);
  std::istringstream parts(*torch.conda_spec);
  for (std::string part; parts >> part;) result.specs.push_back(part);
  // On the pytorch channel its companions were released with it; which conda-forge has was not read.
  if (result.channels.front() == "pytorch") {
    if (torch.torchvision) result.specs.push_back("torchvision==" + *torch.torchvision);
    if (torch.torchaudio) result.specs.push_back("torchaudio==" + *torch.torchaudio);
  }
  const auto ceilings = pins(environment);
  result.specs.insert(result.specs.end(), ceilings.begin(), ceilings.end());
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
