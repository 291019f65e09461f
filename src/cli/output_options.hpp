#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/options.hpp"
#include "files/outputs.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace envgen::cli {

/// What the flags say of the files beside the environment, each with its option.
using OutputFlags = std::vector<std::pair<const files::OptionRow*, std::string>>;

/// The output of that name. Errors (usage): there is none; `command` is who was told.
Expected<const files::Output*> find_kind(const std::string& name, std::string_view command);

/// Registers them, in the groups of the command's help.
void add_output_options(CLI::App& app, OutputFlags& flags);

/// The flags over what a project says; packages are added to its own.
/// Errors (usage): a value that does not fit its grammar; flags that exclude each other.
Expected<files::Options> output_options(const OutputFlags& flags, files::Options options);

}  // namespace envgen::cli
