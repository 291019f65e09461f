#include "files/packages.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "files/extensions.hpp"
#include "files/mirrors.hpp"
#include "files/requirement.hpp"
#include "files/tools.hpp"
#include "model/and_cuda.hpp"
#include "model/choices.hpp"
#include "model/shell_word.hpp"
#include "model/version_spec.hpp"

namespace envgen::files {
namespace {

/// From 2.14 on the extra of TensorFlow does so; before it CUDA and cuDNN are the system's.
bool brings_cuda(const Environment& environment) { return environment.cudnn && environment.cudnn->from == CudnnFrom::wheel; }

bool is_compiled(const Options& options, const std::string& requirement) {
  const auto* extension = find_extension(options, requirement);
  return extension != nullptr && !extension->when_used;
}

}  // namespace

std::vector<std::string> pins(const Environment& environment) {
  std::vector<std::string> result;
  for (const auto& pin : environment.pins) result.push_back(pin.package + pin.spec);
  return result;
}

std::vector<std::string> pins_of_pip(const Inputs& inputs) {
  auto requirements = pins(inputs.environment);
  const auto packages = one_each(requirements).size();
  for (const auto& requirement : inputs.options.pip) {
    if (!is_compiled(inputs.options, requirement.value)) requirements.push_back(requirement.value);
  }
  auto result = one_each(std::move(requirements));
  result.resize(packages);  // the others come as extras
  return result;
}

std::vector<std::string> compiled(const Options& options) {
  std::vector<std::string> result;
  for (const auto& requirement : options.pip) {
    if (is_compiled(options, requirement.value)) result.push_back(requirement.value);
  }
  return one_each(std::move(result));
}

std::vector<std::string> extras(const Inputs& inputs) {
  std::vector<std::string> result;
  std::set<std::string> named;
  for (const auto& pin : inputs.environment.pins) named.insert(requirement_name(pin.package));
  for (const auto& requirement : inputs.options.pip) {
    const auto name = requirement_name(requirement.value);
    if (!is_compiled(inputs.options, requirement.value) && !named.contains(name)) result.push_back(requirement.value);
  }
  result = one_each(std::move(result));
  for (const auto& requirement : result) named.insert(requirement_name(requirement));
  if (inputs.options.jupyter && !named.contains("jupyterlab")) result.push_back(pinned_tool("jupyterlab", inputs));
  if (compiled(inputs.options).empty()) return result;
  // Without an environment of its own a build finds only what is there (PEP 517).
  for (const std::string tool : {"ninja", "packaging", "psutil", "setuptools", "wheel"}) {
    if (!named.contains(tool)) result.push_back(pinned_tool(tool, inputs));
  }
  return result;
}

std::vector<std::string> pins_and_extras(const Inputs& inputs) {
  auto result = pins_of_pip(inputs);
  const auto more = extras(inputs);
  result.insert(result.end(), more.begin(), more.end());
  return result;
}

std::optional<std::string> wheel_index(const Inputs& inputs) {
  const auto& build = inputs.environment.build();
  if (build.on_package_index || !build.index_url) return std::nullopt;
  return torch_index(inputs.options, *build.index_url);
}

std::string framework_origin(const Environment& environment) {
  const auto& build = environment.build();
  return fmt::format("{} {} for {} from the {}", environment.torch ? "torch" : "tensorflow", build.version,
                     build.cuda ? "CUDA " + build.cuda->to_string() : "the CPU",
                     build.on_package_index ? "package index" : "wheel index");
}

bool takes_cuda_of_system(const Environment& environment) {
  return environment.tensorflow && environment.build().cuda && !brings_cuda(environment);
}

std::string cuda_of_system(const Environment& environment) {
  auto text = fmt::format("CUDA {}", *environment.build().cuda);
  if (const auto& cudnn = environment.cudnn; cudnn && cudnn->version) text += fmt::format(" and cuDNN {}", *cudnn->version);
  return text;
}

std::string other_way_to_python(const Environment& environment) {
  const auto& pythons = environment.build().pythons;
  if (environment.torch || pythons.empty()) return "--installer conda";
  return fmt::format("--python {}", pythons.back());
}

std::vector<std::string> framework_requirements(const Environment& environment) {
  if (environment.tensorflow) {
    const auto& pins = environment.tensorflow->cuda_pins;
    const bool by_name = brings_cuda(environment) && extra_needs_tensorrt(pins);
    const auto* extra = brings_cuda(environment) && !by_name ? "[and-cuda]" : "";
    std::vector<std::string> result{fmt::format("tensorflow{}=={}", extra, environment.tensorflow->version)};
    for (const auto& [package, spec] : pins) {
      if (by_name && !package.starts_with("tensorrt")) result.push_back(package + spec);
    }
    // Of a range pip would take the newest, which may serve other GPUs than these.
    constexpr int whole = 4;
    const bool chosen = brings_cuda(environment) && environment.cudnn->version && environment.cudnn->version->count() == whole;
    for (const auto& [package, spec] : pins) {
      const auto range = wheel_spec(spec);  // a lock may hold another text
      const bool is_open = range && package.starts_with("nvidia-cudnn-") && !spec.starts_with("==");
      if (chosen && is_open) result.push_back(fmt::format("{}=={}", package, *environment.cudnn->version));
    }
    return result;
  }
  const auto& torch = *environment.torch;
  std::vector<std::string> result{"torch==" + torch.version};
  if (torch.torchvision) result.push_back("torchvision==" + *torch.torchvision);
  if (torch.torchaudio) result.push_back("torchaudio==" + *torch.torchaudio);
  return result;
}

std::vector<PipStep> steps_after(const std::string& framework, std::vector<std::string> requirements, const Options& options) {
  std::vector<PipStep> steps;
  const auto add = [&](std::vector<std::string> step, bool compiles) {
    if (step.empty()) return;
    if (!framework.empty()) step.insert(step.begin(), framework);
    steps.push_back({std::nullopt, std::move(step), compiles});
  };
  add(std::move(requirements), false);
  add(compiled(options), true);
  return steps;
}

std::vector<PipStep> pip_steps(const Inputs& inputs) {
  auto framework = framework_requirements(inputs.environment);
  const auto first_of_all = framework.front();
  const auto index = wheel_index(inputs);
  const bool frozen = inputs.environment.frozen.has_value();
  std::vector<PipStep> steps;
  if (frozen) {
    steps.push_back({.index_url = index, .requirements = {}, .frozen = true});
  } else if (!index) {
    const auto others = pins_and_extras(inputs);
    framework.insert(framework.end(), others.begin(), others.end());
    steps.push_back({std::nullopt, std::move(framework)});
  } else {
    if (auto first = pins_of_pip(inputs); !first.empty()) steps.push_back({std::nullopt, std::move(first)});
    steps.push_back({index, std::move(framework)});
  }
  for (auto& step : steps_after(first_of_all, index && !frozen ? extras(inputs) : std::vector<std::string>(), inputs.options))
    steps.push_back(std::move(step));
  return steps;
}

std::string words_of(const PipStep& step, const Environment& environment, std::string_view frozen_tree) {
  if (!step.frozen)
    return fmt::format("{}{} {}", step.compiles ? " --no-build-isolation" : "",
                       step.index_url ? " --index-url \"$TORCH_INDEX_URL\"" : "", shell_words(step.requirements));
  // uv would take a package from the first index that knows its name, in whatever version.
  const std::string_view more = environment.installer == Installer::uv
                                    ? " --index \"$TORCH_INDEX_URL\" --index-strategy unsafe-best-match"
                                    : " --extra-index-url \"$TORCH_INDEX_URL\"";
  return fmt::format(" --require-hashes{} --requirement {}", step.index_url ? more : "", frozen_tree);
}

}  // namespace envgen::files
