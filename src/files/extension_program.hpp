#pragma once

#include <string>
#include <string_view>

#include "files/file.hpp"
#include "files/options.hpp"

/// The program that looks after what compiles when it is installed: it tells the key of its cache, notes what it was compiled
/// for, and fails where that does not fit.
namespace envgen::files {

/// Beside a Dockerfile.
inline constexpr std::string_view extension_program_file = "envgen-extensions.py";
/// In an image.
inline constexpr std::string_view extension_program_path = "/opt/envgen/extensions.py";

Expected<File> extension_program();

/// The names of what compiles when it is installed, as PEP 503 normalises them: `flash-attn mamba-ssm`; empty: nothing does.
std::string compiled_names(const Options& options);

/// What the program is given to look at that: `--for 8.9 --for 9.0 check flash-attn`, with the GPUs that it has to run on.
std::string extension_arguments(const Inputs& inputs, std::string_view command);

/// A program for `python -c` and a nonce, which prints lines of JSON: what is known before it imports a framework, and then all,
/// what was compiled against torch with it.
Expected<std::string> self_report_program();

}  // namespace envgen::files
