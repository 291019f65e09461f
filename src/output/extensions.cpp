#include "output/extensions.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/capability.hpp"
#include "model/spelling.hpp"

namespace envgen::output {
namespace {

constexpr auto installed = Compiles::when_installed;
constexpr auto used = Compiles::when_used;

/// Read on 2026-11-21. That the package index has no wheel of those that compile when they are installed was asked of pip
/// (`--only-binary :all:`, Python 3.11, x86_64); of the others it installs a wheel or a source distribution without compiled
/// code.
constexpr std::array extensions{
    Extension{"causal-conv1d", installed},  // Dao-AILab/causal-conv1d@40b7357e pyproject.toml: builds against torch
    Extension{"deepspeed", used},           // DeepSpeed, docs/_tutorials/advanced-install.md: ops are compiled at first use
    Extension{"flash-attn", installed},     // Dao-AILab/flash-attention README: CUDA toolkit, --no-build-isolation
    Extension{"flashinfer-python", used},   // FlashInfer: kernels are compiled at first use
    Extension{"gsplat", used},              // nerfstudio-project/gsplat: "the CUDA code will be built on the first run"
    Extension{"mamba-ssm", installed},      // state-spaces/mamba@0b11daa3 pyproject.toml: builds against torch
    Extension{"mmcv", installed},           // open-mmlab/mmcv: wheels in an index of its own, up to torch 2.4
    Extension{"nerfacc", used},             // nerfstudio-project/nerfacc: as gsplat
    Extension{"torch-scatter", installed},  // rusty1s/pytorch_scatter: wheels in an index of its own
    Extension{"torch-sparse", installed},   // rusty1s/pytorch_sparse: as torch-scatter
    // facebookresearch/xformers#595: a wheel serves one torch; beside another one pip takes the source
    // (Stability-AI/generative-models#423)
    Extension{"xformers", installed},
};

bool asked_for(const Options& options, std::initializer_list<std::string_view> names) {
  return std::any_of(options.pip.begin(), options.pip.end(), [&](const Text& requirement) {
    return std::find(names.begin(), names.end(), requirement_name(requirement.value)) != names.end();
  });
}

}  // namespace

std::string requirement_name(std::string_view requirement) {
  std::string name;
  for (const char c : lower(requirement.substr(0, requirement.find_first_of(" [=<>!~;")))) {
    const bool separates = c == '-' || c == '_' || c == '.';
    if (separates && name.ends_with('-')) continue;
    name += separates ? '-' : c;
  }
  return name;
}

const Extension* find_extension(std::string_view requirement) {
  const auto name = requirement_name(requirement);
  const auto found = std::find_if(extensions.begin(), extensions.end(), [&](const Extension& one) { return one.name == name; });
  return found == extensions.end() ? nullptr : &*found;
}

Expected<void> check_extensions(const Subject& subject) {
  const auto* asked_by = compiler_asked_by(subject.options);
  if (asked_by == nullptr) return {};
  if (!subject.environment.build().cuda)
    return fail(ErrorCode::usage,
                fmt::format("{} is about CUDA code, and this is a build for the CPU", in_quotes(asked_by->value)),
                asked_by->where);
  if (!subject.environment.torch && find_extension(asked_by->value) != nullptr)
    return fail(ErrorCode::usage, fmt::format("{} is built against torch, and there is none", in_quotes(asked_by->value)),
                asked_by->where);
  return {};
}

std::vector<std::pair<std::string, std::string>> extension_variables(const Subject& subject) {
  std::vector<std::pair<std::string, std::string>> variables;
  // Without a GPU, as in a build, these compile for the CPU alone unless they are told: setup.py of
  // rusty1s/pytorch_scatter@003abd58 and of pytorch_sparse 0.6.14, open-mmlab/mmcv@00ed3abc.
  if (asked_for(subject.options, {"mmcv", "torch-scatter", "torch-sparse"})) variables.emplace_back("FORCE_CUDA", "1");
  if (!asked_for(subject.options, {"flash-attn"})) return variables;
  // flash_attn-2.8.3.post2 setup.py: 80;90;100;120 unless it is told; code for 8.0 serves every 8.x.
  std::set<int> targets;
  for (const auto& board : subject.environment.gpus) targets.insert(board.capability.major * 10);
  if (!targets.empty()) variables.emplace_back("FLASH_ATTN_CUDA_ARCHS", fmt::format("{}", fmt::join(targets, ";")));
  return variables;
}

const Text* compiler_asked_by(const Options& options) {
  if (!options.needs_nvcc.value.empty()) return &options.needs_nvcc;
  const auto found = std::find_if(options.pip.begin(), options.pip.end(),
                                  [](const Text& requirement) { return find_extension(requirement.value) != nullptr; });
  return found == options.pip.end() ? nullptr : &*found;
}

}  // namespace envgen::output
