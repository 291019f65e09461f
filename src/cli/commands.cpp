#include "cli/commands.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/examples.hpp"
#include "cli/help_formatter.hpp"
#include "cli/usage_error.hpp"
#include "cli/version.hpp"
#include "files/outputs.hpp"
#include "model/shell_word.hpp"
#include "model/spelling.hpp"
#include "util/table.hpp"

namespace envgen::cli {

Action setup_resolve(CLI::App& app, Context& context);
Action setup_why(CLI::App& app, Context& context);
Action setup_init(CLI::App& app, Context& context);
Action setup_lock(CLI::App& app, Context& context);
Action setup_diff(CLI::App& app, Context& context);
Action setup_generate(CLI::App& app, Context& context);
Action setup_render(CLI::App& app, Context& context);
Action setup_list(CLI::App& app, Context& context);
Action setup_show(CLI::App& app, Context& context);
Action setup_explain(CLI::App& app, Context& context);
Action setup_validate(CLI::App& app, Context& context);
Action setup_report(CLI::App& app, Context& context);
Action setup_checks(CLI::App& app, Context& context);
Action setup_bench(CLI::App& app, Context& context);
Action setup_gpus(CLI::App& app, Context& context);
Action setup_inspect(CLI::App& app, Context& context);
Action setup_matrix(CLI::App& app, Context& context);
Action setup_schema(CLI::App& app, Context& context);
Action setup_completion(CLI::App& app, Context& context);
Action setup_man(CLI::App& app, Context& context);

namespace {

constexpr std::array all_commands{
    Command{"resolve", "Choose the best environment (torch, CUDA, Python, driver), or prove that there is none", "Environments",
            setup_resolve},
    Command{"why", "Show the reasons for an answer on one screen, as in: why torch 2.4 gpu 5090", "Environments", setup_why},
    Command{"init", "Write a commented envgen.json to start from", "Projects", setup_init},
    Command{"lock", "Resolve the request of envgen.json and save the answer in envgen.lock", "Projects", setup_lock},
    Command{"diff", "Show what changed between two locks", "Projects", setup_diff},
    Command{"schema", "Print the JSON schema of envgen.json, envgen.lock or a report", "Projects", setup_schema},
    Command{"generate", "Generate all files listed in envgen.json from envgen.lock", "Outputs", setup_generate},
    Command{"render", "Render files for one environment: a Dockerfile, a dev container, a setup script, and more", "Outputs",
            setup_render},
    Command{"list", "List facts: torch, tensorflow, cuda, cudnn, drivers, gpus, images, os, presets, mirrors, diagnoses", "Facts",
            setup_list},
    Command{"show", "Show the facts about one item: torch, tensorflow, gpu, cuda, cudnn, driver, image, os", "Facts", setup_show},
    Command{"explain", "Explain an error message or a log, and how to fix the cause", "Failures", setup_explain},
    Command{"validate", "Verify that a built image works: its container, GPUs and installed software", "Images", setup_validate},
    Command{"bench", "Test and benchmark this machine's GPUs and libraries (runs envgen-bench with its own options)", "Images",
            setup_bench},
    Command{"checks", "List what 'envgen validate' verifies, and how", "Images", setup_checks},
    Command{"report", "Show a saved report as HTML, JUnit, Markdown and so on, or compare two", "Images", setup_report},
    Command{"gpus", "Rank GPUs by a metric", "Facts", setup_gpus},
    Command{"inspect", "Read what a wheel, a library or an image contains: GPU code, CUDA, glibc, pins", "Facts", setup_inspect},
    Command{"matrix", "Update, check and export envgen's data (update, verify, add, lint, info, export)", "Facts", setup_matrix},
    Command{"completion", "Print a completion script for bash, zsh or fish", "Shell", setup_completion},
    Command{"man", "Print the manual page (for packagers)", "", setup_man},
};

/// The first argument that is neither an option nor the value of `--matrix`.
std::string_view command_word(std::span<char*> arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--matrix") {
      ++i;
    } else if (!argument.starts_with('-')) {
      return argument;
    }
  }
  return {};
}

/// Which facts this run uses: what the flags say stands before what the variables say.
/// Errors (usage): flags that exclude each other.
Expected<void> settle_layers(Context& context) {
  if (context.built_in_alone && !context.matrix_folders.empty())
    return fail(ErrorCode::usage, "--built-in and --matrix cannot be combined", {}, {"use one of them"});
  if (context.built_in_alone || !context.matrix_folders.empty()) return {};
  const char* alone = std::getenv("ENVGEN_BUILT_IN");
  context.built_in_alone = alone != nullptr && *alone != 0 && std::string_view(alone) != "0";
  const char* value = std::getenv("ENVGEN_MATRIX");
  if (value == nullptr) return {};
  for (std::string_view rest = value; !rest.empty();) {
    const auto colon = rest.find(':');
    if (colon != 0) context.matrix_folders.emplace_back(rest.substr(0, colon));
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  context.folders_of_variable = !context.matrix_folders.empty();
  return {};
}

/// Whoever set ENVGEN_MATRIX long ago, or was given it, would look in vain for the flag that named a folder.
void hint_at_variable(Error& error, const Context& context) {
  const auto is_of = [&](const std::filesystem::path& folder) {
    return error.origin == folder.string() || error.origin.starts_with((folder / "").string());
  };
  const auto& folders = context.matrix_folders;
  if (!context.folders_of_variable || std::none_of(folders.begin(), folders.end(), is_of)) return;
  std::erase_if(error.hints, [](const std::string& hint) { return hint.starts_with("--matrix "); });
  error.hints.emplace_back("the environment variable ENVGEN_MATRIX names this folder");
}

/// `words`: the command line.
Error unknown_command(std::string_view word, const std::vector<std::string>& words) {
  std::vector<std::string_view> names;
  for (const auto& command : all_commands) names.push_back(command.name);
  Error error{ErrorCode::usage, fmt::format("unknown command {}", in_quotes(word)), {}, did_you_mean(word, names, 1)};
  if (lower(word) == "jax") error.hints = {jax_hint};
  if (files::find_output(lower(word)) != nullptr)
    error.hints = {fmt::format("did you mean envgen render {}?", lower(word))};
  else if (std::find(matrix_tasks.begin(), matrix_tasks.end(), word) != matrix_tasks.end())
    error.hints = {fmt::format("did you mean envgen matrix {}?", word)};
  const auto& first = words.front();  // envgen itself has two
  const bool follows_an_option = first.starts_with('-') && !first.starts_with("--matrix") && first != "--built-in";
  if (follows_an_option) {
    const auto named = std::find_first_of(words.begin(), words.end(), names.begin(), names.end());
    std::vector<std::string> ordered{named == words.end() ? "resolve" : *named};
    std::copy_if(words.begin(), words.end(), std::back_inserter(ordered),
                 [&](const auto& one) { return one != ordered.front(); });
    error.hints = {"options come after the command: envgen " + shell_words(ordered)};
  } else if (error.hints.empty()) {
    constexpr std::size_t longest_name = 40;
    const bool board = word.size() < longest_name && word.find_first_of("0123456789") != std::string_view::npos;
    error.hints = {"for example: envgen resolve " + (board ? "--gpu " + shell_word(word) : "--torch 2.6 --gpu 5090")};
  }
  error.hints.emplace_back("see 'envgen --help'");
  return error;
}

}  // namespace

std::span<const Command> commands() { return all_commands; }

void set_up_app(CLI::App& app, Context& context) {
  app.name("envgen");
  app.formatter(std::make_shared<HelpFormatter>());
  app.description("The right PyTorch environment for your GPUs and drivers, or proof that there is none.");
  app.add_option("--matrix", context.matrix_folders,
                 "A folder of matrix files to use instead of the built-in data (repeat to overlay more; also: ENVGEN_MATRIX)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_flag("--built-in", context.built_in_alone, "Use only the built-in data, not your own (also: ENVGEN_BUILT_IN=1)");
  // The last, for it ends the parsing: what stands above says which data it tells of.
  app.set_version_flag("--version", std::string(),
                       "Print the version and exit; with --json, also the commit, target and compiler");
  app.fallthrough();
  app.require_subcommand(0, 1);
}

int run(std::span<char*> all_arguments, const matrix::BuiltIn& facts) {
  // A file that grows over `ulimit -f` is an error of its write, which is told, and the old file stays.
  ::signal(SIGXFSZ, SIG_IGN);
  forget_the_notes();
  // `envgen help render` and `envgen version` are what people type before they know the options.
  std::vector<char*> arguments(all_arguments.begin(), all_arguments.end());
  std::string option = "--" + std::string(command_word(arguments));
  if (option == "--help" || option == "--version") {
    arguments.erase(std::find(arguments.begin(), arguments.end(), command_word(arguments).data()));
    arguments.push_back(option.data());
  }
  std::string help_option = "--help";  // of `envgen resolve help`
  if (arguments.size() == 3 && std::string_view(arguments[2]) == "help" && arguments[1] == command_word(arguments).data())
    arguments[2] = help_option.data();
  const std::vector<std::string> words(arguments.begin() + 1, arguments.end());
  Context context(facts);
  const auto finish = [&](Error error) {
    hint_at_quotes(error, words);
    hint_at_variable(error, context);
    print_error(error, context);
    return static_cast<int>(exit_for(error.code));
  };
  CLI::App app;
  const auto word = command_word(arguments);
  // Of `envgen --version --json`; a command has its own. It stands before --version, which ends the parsing.
  if (word.empty()) app.add_flag_callback("--json", [&context] { context.json = true; })->group("");
  set_up_app(app, context);

  // Registering options costs time, so only the command that was named gets its own.
  const auto named = std::find(arguments.begin(), arguments.end(), word.data());
  if (named != arguments.end()) context.command_arguments.assign(named + 1, arguments.end());
  Action action;
  bool known = word.empty();
  for (const auto& command : all_commands) {
    if (!word.empty() && command.name != word) continue;
    auto* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    sub->group(std::string(command.group));
    if (command.name == word) {
      known = true;
      action = command.setup(*sub, context);
      add_examples(*sub);
    }
  }
  if (!known) return finish(unknown_command(word, words));
  if (word.empty()) add_examples(app);

  const auto finish_with = [&](std::string_view text, Exit status) {
    return print(text) ? static_cast<int>(status) : finish({ErrorCode::internal, "cannot write to standard output", {}, {}});
  };
  const auto help = [&] { return help_text(app.help(), util::Terminal::of_stdout().width); };
  try {
    const auto taken = word == "why" ? with_fields_as_words(words) : words;
    app.parse(std::vector<std::string>(taken.rbegin(), taken.rend()));  // CLI11 takes them so
  } catch (const CLI::CallForHelp&) {
    return finish_with(help(), Exit::ok);
  } catch (const CLI::CallForVersion&) {
    const auto text = settle_layers(context).and_then([&] { return version_text(context); });
    return text ? finish_with(*text, Exit::ok) : finish(text.error());
  } catch (const CLI::ParseError& error) {
    return finish(usage_error(error, app, words, word));
  }
  if (!action) return finish_with(help(), Exit::usage);
  if (auto settled = settle_layers(context); !settled) return finish(settled.error());
  const auto result = action();
  return result ? static_cast<int>(*result) : finish(result.error());
}

}  // namespace envgen::cli
