#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>

#include "cli/context.hpp"

namespace envgen::cli {

/// What a command does once its options are read.
using Action = std::function<Expected<Exit>()>;

/// One command: its name, the line that `--help` shows, and the function that registers its options and returns its action.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view group;
  Action (*setup)(CLI::App& app, Context& context);
};

/// All commands, in the order of `--help`. Help, completion and dispatch derive from this table.
std::span<const Command> commands();

/// The subcommands of `matrix`.
inline constexpr std::array<std::string_view, 6> matrix_tasks{"lint", "info", "export", "update", "verify", "add"};

/// The name, the description and the options of envgen itself.
void set_up_app(CLI::App& app, Context& context);

/// A whole run of envgen; returns the exit status.
int run(std::span<char*> arguments, const matrix::BuiltIn& facts);

}  // namespace envgen::cli
