#include "output/packages.hpp"

#include <fmt/format.h>

namespace envgen::output {
namespace {

void add_extras(const Options& options, std::vector<std::string>& requirements) {
  for (const auto& requirement : options.pip) requirements.push_back(requirement.value);
}

}  // namespace

std::optional<std::string> wheel_index(const Environment& environment) {
  const auto& build = environment.build();
  return build.on_package_index ? std::nullopt : build.index_url;
}

std::string framework_origin(const Environment& environment) {
  const auto& build = environment.build();
  return fmt::format("{} {} for {}, which the {} carries", environment.torch ? "torch" : "tensorflow", build.version,
                     build.cuda ? "CUDA " + *build.cuda : "the CPU",
                     wheel_index(environment) ? "wheel index alone" : "package index");
}

std::vector<std::string> framework_requirements(const Environment& environment) {
  if (environment.tensorflow) {
    // From 2.14 on the extra brings CUDA; before it CUDA and cuDNN are the system's.
    const bool brings_cuda = environment.cudnn && environment.cudnn->from == "wheel";
    return {fmt::format("tensorflow{}=={}", brings_cuda ? "[and-cuda]" : "", environment.tensorflow->version)};
  }
  const auto& torch = *environment.torch;
  std::vector<std::string> result{"torch==" + torch.version};
  if (torch.torchvision) result.push_back("torchvision==" + *torch.torchvision);
  if (torch.torchaudio) result.push_back("torchaudio==" + *torch.torchaudio);
  return result;
}

std::vector<PipStep> pip_steps(const Subject& subject) {
  const auto& environment = subject.environment;
  std::vector<std::string> pins;
  for (const auto& pin : environment.pins) pins.push_back(pin.package + pin.spec);
  auto framework = framework_requirements(environment);
  const auto index = wheel_index(environment);
  if (!index) {
    auto requirements = std::move(framework);
    requirements.insert(requirements.end(), pins.begin(), pins.end());
    add_extras(subject.options, requirements);
    return {{std::nullopt, std::move(requirements)}};
  }
  std::vector<PipStep> steps;
  if (!pins.empty()) steps.push_back({std::nullopt, std::move(pins)});
  const auto first = framework.front();
  steps.push_back({index, std::move(framework)});
  if (!subject.options.pip.empty()) {
    std::vector<std::string> extras{first};
    add_extras(subject.options, extras);
    steps.push_back({std::nullopt, std::move(extras)});
  }
  return steps;
}

}  // namespace envgen::output
