#include "output/packages.hpp"

#include <fmt/format.h>

namespace envgen::output {

std::vector<std::string> pins(const Environment& environment) {
  std::vector<std::string> result;
  for (const auto& pin : environment.pins) result.push_back(pin.package + pin.spec);
  return result;
}

std::vector<std::string> extras(const Options& options) {
  std::vector<std::string> result;
  for (const auto& requirement : options.pip) result.push_back(requirement.value);
  return result;
}

std::vector<std::string> pins_and_extras(const Subject& subject) {
  auto result = pins(subject.environment);
  const auto more = extras(subject.options);
  result.insert(result.end(), more.begin(), more.end());
  return result;
}

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
  auto framework = framework_requirements(subject.environment);
  const auto index = wheel_index(subject.environment);
  if (!index) {
    const auto others = pins_and_extras(subject);
    framework.insert(framework.end(), others.begin(), others.end());
    return {{std::nullopt, std::move(framework)}};
  }
  std::vector<PipStep> steps;
  if (auto first = pins(subject.environment); !first.empty()) steps.push_back({std::nullopt, std::move(first)});
  steps.push_back({index, framework});
  if (auto last = extras(subject.options); !last.empty()) {
    last.insert(last.begin(), framework.front());
    steps.push_back({std::nullopt, std::move(last)});
  }
  return steps;
}

}  // namespace envgen::output
