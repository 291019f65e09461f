#pragma once

#include <map>
#include <string>
#include <string_view>

#include "files/options.hpp"

/// Packages of pip that compile CUDA code against the installed torch.
namespace envgen::files {

/// Of the environment; none: it has no torch.
Version torch_version(const Environment& environment);

/// Null: it compiles nothing, or nothing was read of it.
const Extension* find_extension(const Options& options, std::string_view requirement);

/// What tells an extension of `--pip` to compile for a GPU, and for which, where TORCH_CUDA_ARCH_LIST does not.
std::map<std::string, std::string> extension_variables(const Inputs& inputs);

/// Errors (usage): something compiles CUDA code against torch, and there is no torch, or none for CUDA, or a GPU, the CUDA
/// or torch is not what it needs; a name that differs from such a package only by its hyphens.
Expected<void> check_extensions(const Inputs& inputs);

/// The refusal (usage) of a package that needs torch, beside TensorFlow: pip would install a torch of its own, with another CUDA.
Expected<void> refuse_without_torch(const GivenText& requirement);

/// What makes a compiler necessary: `--needs-nvcc`, or the first such requirement; none: nothing does.
const GivenText* compiler_asked_by(const Options& options);
/// It, as the subject of a message.
std::string what_compiles(const GivenText& asked_by);

}  // namespace envgen::files
