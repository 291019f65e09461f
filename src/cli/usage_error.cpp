#include "cli/usage_error.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "answers/facts.hpp"
#include "cli/examples.hpp"
#include "cli/help_formatter.hpp"
#include "files/options.hpp"
#include "files/outputs.hpp"
#include "model/request.hpp"
#include "model/shell_word.hpp"
#include "model/spelling.hpp"

namespace envgen::cli {
namespace {

/// The command that was named, down to its subcommand.
const CLI::App& innermost(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? app : innermost(*named.front());
}

/// Its name below envgen: `list torch`, whose help has the options; empty for envgen itself.
std::string path_to(const CLI::App& command) {
  const auto* parent = command.get_parent();
  if (parent == nullptr) return {};
  const auto above = path_to(*parent);
  return above.empty() ? command.get_name() : above + " " + command.get_name();
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  const auto* parent = app.get_parent();
  if (parent == nullptr) return names;
  const auto more = options_of(*parent);
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

std::vector<std::string> near_names(const std::string& text, const std::vector<std::string>& names) {
  return did_you_mean(text, std::vector<std::string_view>(names.begin(), names.end()), 1);
}

/// What other tools and other people call an option, and what to write here.
std::vector<std::string> in_other_words(std::string_view option) {
  struct Meant {
    std::string_view hint;
    std::array<std::string_view, 6> words;
  };
  constexpr std::array<Meant, 12> all{
      {{"to install an additional package, use --pip of 'envgen render': --pip flash-attn",
        {"--with", "--package", "--packages", "--extra", "--requirement", "--flash-attn"}},
       {jax_hint, {"--jax", "--jaxlib", "--flax"}},
       {"a CPU build: --cuda cpu", {"--cpu", "--cpu-only", "--no-gpu", "--no-cuda", "--cpuonly", "--nogpu"}},
       {"a GPU by its compute capability: --gpu 8.6",
        {"--arch", "--sm", "--capability", "--compute-capability", "--arch-list", "--cc"}},
       {resolver::jetpack_fact, {"--jetpack", "--jetson", "--l4t", "--tegra"}},
       {"envgen covers releases for NVIDIA GPUs on Linux; for WSL 2: --wsl",
        {"--nightly", "--windows", "--macos", "--mps", "--xpu"}},
       {"envgen covers only NVIDIA GPUs; builds for ROCm: https://pytorch.org/get-started/locally/",
        {"--rocm", "--hip", "--amd", "--rocm-version"}},
       {"the installer is one option: --installer pip, uv or conda", {"--conda", "--uv", "--mamba", "--micromamba", "--venv"}},
       {"the variant of the image is one option: --variant devel or runtime", {"--devel", "--runtime", "--dev"}},
       {"the reasons: envgen resolve --explain, or envgen why --all", {"--explain", "--reasons", "--why"}},
       {"the option is called --tensorflow", {"--tf", "--tensorflow-gpu", "--tf-version", "--tensorflow-version"}},
       {"the options are called --cuda, --driver, --python and --torch",
        {"--cuda-version", "--driver-version", "--nvidia-driver", "--python-version", "--torch-version", "--pytorch-version"}}}};
  for (const auto& [hint, words] : all) {
    if (std::find(words.begin(), words.end(), option) != words.end()) return {std::string(hint)};
  }
  return {};
}

const CLI::Option* option_named(const CLI::App& app, const std::string& name) {
  const auto options = app.get_options();
  const auto found = std::find_if(options.begin(), options.end(), [&](const auto* option) {
    return name.size() > 1 && option->check_name(name) && !option->get_positional();
  });
  if (found != options.end()) return *found;
  return app.get_parent() == nullptr ? nullptr : option_named(*app.get_parent(), name);
}

bool takes_a_value(const CLI::Option* option) { return option != nullptr && option->get_items_expected_min() > 0; }

/// `--torch --gpu A100`, which is what a shell leaves of `--torch >=2.3 --gpu A100`; empty: every option has its value.
std::string option_without_value(const CLI::App& command, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto& next = words[i + 1];
    if (next.starts_with('-') && option_named(command, next) != nullptr && words[i].starts_with('-') &&
        takes_a_value(option_named(command, words[i])))
      return words[i];
  }
  return {};
}

/// An option that an editor or a habit spelled otherwise: `-gpu`, which CLI11 reads as `-g pu`, or with a dash for its hyphens.
std::vector<std::string> mistyped(const CLI::App& command, const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 2> dashes{"\u2013", "\u2014"};
  for (const auto& word : words) {
    for (const auto dash : dashes) {
      if (word.starts_with(dash)) return {"options begin with two hyphens, and this is a dash"};
    }
    if (word.size() > 2 && word[0] == '-' && word[1] != '-' && option_named(command, "-" + word) != nullptr)
      return {fmt::format("did you mean -{}?", word)};
  }
  return {};
}

/// The rest of a value that needs quotes, or a comma: `--gpu RTX 5090`, `--host gpu=4090 driver=535`.
std::vector<std::string> continued(const CLI::App& command, const std::vector<std::string>& words, std::size_t unexpected) {
  if (unexpected < 2 || option_named(command, "--torch") == nullptr) return {};
  const auto& option = words[unexpected - 2];
  const auto& word = words[unexpected];
  if (option == "--pip" || option == "--apt")
    return {fmt::format("repeat {0} for each package: {0} {1}", option, shell_word(word))};
  if (const bool hyphenated = word.find('-') != std::string::npos && word.find_first_of("0123456789") == std::string::npos;
      hyphenated && option_named(command, "--pip") != nullptr)  // the names of boards have digits
    return {fmt::format("to install an additional package: --pip {}", shell_word(word))};
  if (option == "--gpu" || option == "--gpus" || option == "-g")
    return {"put quotes around a name with spaces, and repeat --gpu for each GPU: --gpu 'RTX 5090' --gpu A100"};
  if (option == "--host") return {"a host is one argument with comma-separated parts: --host gpu=4090,driver=535"};
  return {};
}

/// The value of this field may be a range.
bool takes_a_range(std::string_view flag) {
  return std::any_of(field_rows.begin(), field_rows.end(),
                     [&](const FieldRow& row) { return row.flag == flag && row.type == std::string_view("VERSION"); });
}

/// The first subcommand of a command (`list torch`) that has this option; null: none.
const CLI::App* child_with(const CLI::App& command, const std::string& option) {
  if (command.get_parent() == nullptr) return nullptr;  // envgen itself, whose commands differ too much
  const auto children = command.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const CLI::App* one) { return one->get_option_no_throw(option) != nullptr; });
  return found == children.end() ? nullptr : *found;
}

/// What nothing takes: the first of it in the order of the command line, for CLI11's own order differs from release to release.
Error not_expected(const CLI::App& app, const std::vector<std::string>& words) {
  auto left = app.remaining(true);
  const auto place = [&](const std::string& word) { return std::find(words.begin(), words.end(), word) - words.begin(); };
  const auto first =
      std::min_element(left.begin(), left.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  if (first == left.end()) return {ErrorCode::usage, "unexpected argument", {}, {}};
  const auto& command = innermost(app);
  if (const auto bare = option_without_value(command, words); !bare.empty()) {
    Error error{ErrorCode::usage, fmt::format("{}: the value is missing", bare), {}, {}};
    if (takes_a_range(bare))
      error.hints.push_back(fmt::format("a range needs quotes, because > and < are the shell's: {} '>=2.3'", bare));
    return error;
  }
  if (auto hints = mistyped(command, words); !hints.empty())
    return {ErrorCode::usage, fmt::format("unexpected argument {}", in_quotes(*first)), {}, std::move(hints)};
  if (!first->starts_with('-')) {
    std::vector<std::string> children;
    for (const auto* child : command.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
      children.push_back(child->get_name());
    auto hints = near_names(*first, children);
    if (hints.empty() && command.get_name() == "render" && files::find_output(*first) != nullptr)
      hints.emplace_back("one output at a time; 'envgen init' and 'envgen generate' make several");
    if (hints.empty()) hints = continued(command, words, static_cast<std::size_t>(place(*first)));
    if (const auto& named = command.get_name(); hints.empty() && (named == "resolve" || named == "lock"))
      hints.emplace_back("write values as options: --torch 2.6 --gpu 5090; only 'envgen why' takes bare values");
    return {ErrorCode::usage, fmt::format("unexpected argument {}", in_quotes(*first)), {}, std::move(hints)};
  }
  const auto name = first->substr(0, first->find('='));
  const auto rows = files::option_rows();
  if (std::any_of(rows.begin(), rows.end(), [&](const files::OptionRow& row) { return row.option == name; }))
    return {ErrorCode::usage,
            fmt::format("{} is not an option of this command", name),
            {},
            {"it belongs to 'envgen render', and in envgen.json to \"outputs\""}};
  auto hints = in_other_words(name);
  if (hints.empty()) hints = near_names(name, options_of(command));
  if (option_named(command, name) != nullptr)
    hints = {fmt::format("options come after the command: envgen {} {}", path_to(command), name)};
  if (const auto* child = child_with(command, name))
    hints = {fmt::format("it comes after a subcommand: envgen {} {} {}", path_to(command), child->get_name(), name)};
  return {ErrorCode::usage, fmt::format("unknown option {}", in_quotes(name)), {}, std::move(hints)};
}

/// `NAME: At most 1 required but received 2`, `NAME: 1 required VERSION missing`, `Could not convert: --json = maybe`.
std::string in_our_words(const std::string& message) {
  const auto colon = message.find(": ");
  const auto name = message.substr(0, colon);
  constexpr std::string_view received = " 1 required but received ";
  if (const auto at = message.find(received); colon != std::string::npos && at != std::string::npos)
    return fmt::format("{}: given {} times, but it takes one value", name, message.substr(at + received.size()));
  constexpr std::string_view requires_another = " requires ";
  if (const auto at = message.find(requires_another); message.starts_with("--") && at != std::string::npos)
    return fmt::format("{} works only with {}", message.substr(0, at), message.substr(at + requires_another.size()));
  constexpr std::string_view needed = ": 1 required ";
  constexpr std::string_view missing = " missing";
  if (const auto at = message.find(needed); at != std::string::npos && message.ends_with(missing)) {
    const auto from = at + needed.size();
    return fmt::format("{} needs a value: {}", name, message.substr(from, message.size() - from - missing.size()));
  }
  constexpr std::string_view flag = "Could not convert: ";
  constexpr std::string_view is = " = ";
  if (const auto at = message.find(is); message.starts_with(flag) && at != std::string::npos)
    return fmt::format("{} takes no value; omit {}", message.substr(flag.size(), at - flag.size()),
                       in_quotes("=" + message.substr(at + is.size())));
  return message;
}

/// `--torch excludes --batch`.
std::string excluding(const std::string& message) {
  constexpr std::string_view excludes = " excludes ";
  const auto at = message.find(excludes);
  if (at == std::string::npos) return message;
  return fmt::format("{} and {} cannot be combined", message.substr(0, at), message.substr(at + excludes.size()));
}

/// `words is required`: what the command needs in place of a name, and how it is written.
Error required(const std::string& message, const CLI::App& app) {
  const auto& command = innermost(app);
  if (message.starts_with("A subcommand")) return {ErrorCode::usage, "a subcommand is missing", {}, {}};
  Error error{ErrorCode::usage, fmt::format("'envgen {}' needs {}", path_to(command), arguments_of(command)), {}, {}};
  for (const auto& example : examples()) {
    if (error.hints.empty() && example.command == path_to(command))
      error.hints.push_back(fmt::format("for example: {}", example.line));
  }
  if (path_to(command) == "diff") error.hints.emplace_back("a lock against what its project would lock now: envgen lock --check");
  return error;
}

std::string sentence_of(const CLI::ParseError& error) {
  std::string message = error.what();
  if (const auto newline = message.find('\n'); newline != std::string::npos) message.resize(newline);
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) return excluding(message);
  return in_our_words(message);
}

}  // namespace

Error usage_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& words,
                  std::string_view command) {
  const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const bool lacks = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  auto result = extra   ? not_expected(app, words)
                : lacks ? required(error.what(), app)
                        : Error{ErrorCode::usage, in_one_line(sentence_of(error)), {}, {}};
  const auto helped = path_to(innermost(app));
  const auto words_of_help = helped.empty() ? std::string(command) : helped;
  result.hints.push_back(words_of_help.empty() ? "see 'envgen --help'" : fmt::format("see 'envgen {} --help'", words_of_help));
  return result;
}

void hint_at_quotes(Error& error, const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 4> quotes{"\u2018", "\u2019", "\u201c", "\u201d"};
  const auto has_one = [&](const std::string& word) {
    return std::any_of(quotes.begin(), quotes.end(), [&](auto quote) { return word.find(quote) != std::string::npos; });
  };
  if (error.code == ErrorCode::usage && std::any_of(words.begin(), words.end(), has_one))
    error.hints.emplace_back("the command has typographic quotes, which a shell does not know; use ' or \"");
}

CLI::Validator number_within(double least, double most, bool whole) {
  CLI::Validator validator;
  validator.operation([least, most, whole](std::string& text) -> std::string {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const auto digits = whole ? std::string_view("0123456789") : std::string_view("0123456789.");
    const bool plain = !text.empty() && *end == 0 && text.find_first_not_of(digits) == std::string::npos;
    if (plain && value >= least && value <= most) return {};
    return fmt::format("{} is not a {}number from {} to {}", in_quotes(text), whole ? "whole " : "", least, most);
  });
  return validator;
}

}  // namespace envgen::cli
