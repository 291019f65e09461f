#include "cli/help_formatter.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

// Without fmt: envgen-bench has the same help, and is linked without it.
namespace envgen::cli {
namespace {

constexpr std::size_t column = 30;

/// CLI11's own headings are in capitals from 2.5 on.
std::string heading(std::string_view group) {
  if (group == "OPTIONS") return "Options";
  if (group == "SUBCOMMANDS") return "Subcommands";
  return std::string(group);
}

/// A name, and what is said of it: below it where the name is long.
std::string line(const std::string& name, const std::string& text) {
  const auto left = "  " + name;
  const bool fits = left.size() < column;
  return left + (fits ? "" : "\n") + std::string(column - (fits ? left.size() : 0), ' ') + text + "\n";
}

std::vector<const CLI::Option*> positionals_of(const CLI::App* app) {
  return app->get_options([](const CLI::Option* option) {
    return option->get_positional() && !option->get_group().empty() && !option->get_name().empty();
  });
}

/// `FIELD VALUE ...`: the kind of its values, or its name.
std::string label_of(const CLI::Option* option) {
  const auto& type = option->get_type_name();
  const auto word = type.empty() ? option->get_name() : type;
  return option->get_expected_max() > 1 ? word + " ..." : word;
}

std::string usage(const CLI::App* app, const std::string& name) {
  const auto commands = app->get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
  std::string text = "Usage: " + name + (commands.empty() ? "" : " COMMAND") + " [OPTION ...]";
  for (const auto* option : positionals_of(app)) {
    const auto label = label_of(option);
    text += option->get_required() ? " " + label : " [" + label + "]";
  }
  return text + "\n";
}

/// The names, each once, in the order in which they come.
template <class Items>
std::vector<std::string> groups_of(const Items& items) {
  std::vector<std::string> groups;
  for (const auto* item : items) {
    const auto& group = item->get_group();
    if (!group.empty() && std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  return groups;
}

}  // namespace

std::string arguments_of(const CLI::App& app) {
  std::vector<std::string> labels;
  for (const auto* option : positionals_of(&app)) {
    if (!option->get_required()) continue;
    const auto label = label_of(option);
    labels.push_back(label.substr(0, label.find(" ...")));
  }
  if (labels.size() == 2 && labels.front() == labels.back()) return "two " + labels.front() + "s";
  std::string text;
  for (const auto& label : labels) text += (text.empty() ? "" : " and ") + label;
  return text;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  auto text = app->get_description() + "\n" + usage(app, name);
  const auto positionals = positionals_of(app);
  if (!positionals.empty()) text += "\nArguments:\n";
  for (const auto* option : positionals) text += line(label_of(option), option->get_description());

  const auto options = app->get_options([](const CLI::Option* option) { return option->nonpositional(); });
  for (const auto& group : groups_of(options)) {
    text += "\n" + heading(group) + ":\n";
    for (const auto* option : options) {
      if (option->get_group() == group)
        text += line(option->get_name(false, true) + make_option_opts(option), option->get_description());
    }
  }
  const auto commands = app->get_subcommands([](const CLI::App*) { return true; });
  for (const auto& group : groups_of(commands)) {
    text += "\n" + heading(group) + ":\n";
    for (const auto* command : commands) {
      if (command->get_group() == group) text += line(command->get_name(), command->get_description());
    }
  }
  const auto footer = app->get_footer();
  return footer.empty() ? text : text + "\n" + footer + "\n";
}

/// That an option excludes others, or needs one, is told to those who give it: in every line of the list it would hide what the
/// option is.
/// Dots are for what takes several values in a row, which a repeatable option does not.
std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  auto text = CLI::Formatter::make_option_opts(option);
  for (const std::string_view word : {" Needs:", " Excludes:", " REQUIRED"}) text = text.substr(0, text.find(word));
  constexpr std::string_view dots = " ...";
  const auto at = text.find(dots);
  if (option->nonpositional() && !option->get_allow_extra_args() && at != std::string::npos) text.erase(at, dots.size());
  return text;
}

}  // namespace envgen::cli
