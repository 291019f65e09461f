#include "files/runtime_stage.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "files/extensions.hpp"
#include "files/interpreter.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"

namespace envgen::files {
namespace {

constexpr const char* option = "--multi-stage";

Expected<void> check_stages(const Inputs& inputs) {
  const auto& environment = inputs.environment;
  if (environment.variant != Variant::devel)
    return fail(ErrorCode::usage, "nothing is compiled in this environment, so one stage is enough", option,
                {"--variant devel", "--needs-nvcc"});
  if (environment.installer == Installer::conda)
    return fail(ErrorCode::usage, "conda installs the compilers into the environment itself, so no stage can drop them", option,
                {"--installer pip"});
  if (environment.python_provider == PythonProvider::image)
    return fail(ErrorCode::usage, "the framework is part of the official image and cannot be copied out of it", option,
                {"--base cuda"});
  for (const auto& requirement : inputs.options.pip) {
    const auto* extension = find_extension(inputs.options, requirement.value);
    if (extension != nullptr && extension->when_used)
      return fail(ErrorCode::usage,
                  fmt::format("{} compiles at run time, and the last stage has no nvcc", in_quotes(requirement.value)),
                  requirement.where, {fmt::format("leave out {}", option)});
  }
  return {};
}

/// What the wheels do not bring, an image of NVIDIA does.
bool needs_cuda_of_image(const Environment& environment) {
  return environment.build().cuda && environment.cudnn && environment.cudnn->from != CudnnFrom::wheel;
}

}  // namespace

Expected<RuntimeStage> runtime_stage(const Inputs& inputs, const Install& install) {
  if (auto checked = check_stages(inputs); !checked) return tl::unexpected(std::move(checked.error()));
  RuntimeStage stage{inputs.environment, inputs.options, {}, {}, {std::string(image_venv)}};
  stage.environment.variant = Variant::runtime;
  stage.environment.base = needs_cuda_of_image(inputs.environment) ? Base::cuda : Base::slim;
  stage.options.pip.clear();
  stage.options.needs_nvcc = {};
  auto base = image_base({stage.environment, stage.options, inputs.lock});
  if (!base) return tl::unexpected(std::move(base.error()));
  stage.base = std::move(*base);
  if (inputs.environment.python_provider == PythonProvider::system) {
    stage.install.packages.emplace_back("python3");
  } else {
    stage.copies.emplace_back("/opt/python");  // that of uv, to which the virtual environment points
  }
  stage.install.env = install.env;
  return stage;
}

}  // namespace envgen::files
