#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "files/options.hpp"
#include "model/version_spec.hpp"

/// Packages of pip that compile CUDA code against the installed torch.
namespace envgen::files {

/// The name of a requirement as PEP 503 normalises it: `Flash_Attn>=2` is `flash-attn`.
std::string requirement_name(std::string_view requirement);
/// What it asks of the release: `>=2`; empty: nothing.
std::string_view requirement_spec(std::string_view requirement);
/// The same as a range of the numbers below. Errors: it has what no such number has (`rc1`, a local version).
Expected<VersionSpec> requirement_range(std::string_view requirement);
/// `0.0.29.post1` as a number that stands after 0.0.29: 0.0.29.1. None: it is no release.
Version release_number(std::string_view release);

/// Whether a range holds for some number from one on and before the other; none: no end.
bool reaches(const VersionSpec& range, Version from, Version end);

/// Of the environment; none: it has no torch.
Version torch_version(const Environment& environment);
/// One requirement of each package, where the package is first named: pip before 20.3 refuses two ("Double requirement given").
std::vector<std::string> one_each(std::vector<std::string> requirements);

/// Null: it compiles nothing, or nothing was read of it.
const Extension* find_extension(const Options& options, std::string_view requirement);

/// What tells an extension of `--pip` to compile for a GPU, and for which, where TORCH_CUDA_ARCH_LIST does not.
std::map<std::string, std::string> extension_variables(const Inputs& inputs);

/// Errors (usage): something compiles CUDA code against torch, and there is no torch, or none for CUDA, or a GPU, the CUDA
/// or torch is not what it needs; a name that differs from such a package only by its hyphens.
Expected<void> check_extensions(const Inputs& inputs);

/// What makes a compiler necessary: `--needs-nvcc`, or the first such requirement; none: nothing does.
const GivenText* compiler_asked_by(const Options& options);
/// It, as the subject of a message.
std::string what_compiles(const GivenText& asked_by);

}  // namespace envgen::files
