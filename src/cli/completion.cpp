#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/command_tree.hpp"
#include "cli/commands.hpp"
#include "model/choices.hpp"

namespace envgen::cli {
namespace {

constexpr std::array<std::string_view, 3> shell_names{"bash", "zsh", "fish"};

Expected<Exit> run_completion(const std::string& shell, Context& context) {
  if (shell.empty())
    return fail(ErrorCode::usage, "no shell given", {},
                {fmt::format("envgen completion {}", fmt::join(shell_names, "|")), "bash: source <(envgen completion bash)"});
  const auto index = parse_choice(shell, shell_names);
  if (!index) return tl::unexpected(index.error());
  constexpr std::array scripts{bash_script, zsh_script, fish_script};
  return scripts[*index](command_tree(context.embedded)).and_then(written_as_it_is);
}

}  // namespace

Action setup_completion(CLI::App& app, Context& context) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")->type_name(fmt::format("{}", fmt::join(shell_names, "|")));
  return [shell, &context] { return run_completion(*shell, context); };
}

Action setup_man(CLI::App&, Context& context) {
  return [&context] { return manual(command_tree(context.embedded), context.embedded->read).and_then(written_as_it_is); };
}

}  // namespace envgen::cli
