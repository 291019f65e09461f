#include "cli/command_tree.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "util/template.hpp"

namespace envgen::cli {
namespace {

/// Calls `visit` for each command with its path: "" for envgen itself, "/list/torch".
void each_command(const CommandNode& node, const std::string& path,
                  const std::function<void(const CommandNode&, const std::string&)>& visit) {
  visit(node, path);
  for (const auto& child : node.children) each_command(child, path + "/" + child.name, visit);
}

std::vector<std::string> option_names(const CommandNode& node) {
  std::vector<std::string> names;
  for (const auto& option : node.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// The options of a command, and those of envgen itself, which every command takes too.
std::vector<OptionNode> all_options(const CommandNode& node, const CommandNode& root) {
  auto options = node.options;
  const auto own = option_names(node);
  const std::set<std::string> known(own.begin(), own.end());
  for (const auto& option : root.options) {
    if (&node != &root && option.takes_folder && known.count(option.names.front()) == 0) options.push_back(option);
  }
  return options;
}

std::set<std::string> names_with_value(const CommandNode& root) {
  std::set<std::string> names;
  each_command(root, "", [&](const CommandNode& node, const std::string&) {
    for (const auto& option : node.options) {
      if (!option.argument.empty()) names.insert(option.names.begin(), option.names.end());
    }
  });
  return names;
}

std::vector<std::string> paths(const CommandNode& root) {
  std::vector<std::string> result;
  each_command(root, "", [&](const CommandNode&, const std::string& path) {
    if (!path.empty()) result.push_back(path);
  });
  return result;
}

/// What of the file system is offered beside the words of a command.
std::string_view paths_flag(const CommandNode& node) {
  const auto& all = node.positionals;
  if (std::any_of(all.begin(), all.end(), [](const auto& one) { return one.takes_file; })) return "; files=1";
  if (std::any_of(all.begin(), all.end(), [](const auto& one) { return one.takes_folder; })) return "; folders=1";
  return {};
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// Under `options` those that take a value, under `paths` the commands; a shell parts them by `between`.
util::View words_of(const CommandNode& root, std::string_view between) {
  return util::View()
      .text("options", fmt::format("{}", fmt::join(names_with_value(root), between)))
      .text("paths", fmt::format("{}", fmt::join(paths(root), between)));
}

}  // namespace

Expected<std::string> bash_script(const CommandNode& root) {
  std::string values;
  std::string offers;
  each_command(root, "", [&](const CommandNode& node, const std::string& path) {
    for (const auto& option : all_options(node, root)) {
      if (option.argument.empty()) continue;
      std::string action = "return";
      if (option.takes_folder) {
        action = "compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen -d -- \"$cur\")); return";
      } else if (option.takes_file) {
        action = "compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$cur\")); return";
      } else if (!option.choices.empty()) {
        action = fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$cur\")); return", fmt::join(option.choices, " "));
      }
      std::vector<std::string> patterns;
      for (const auto& name : option.names) patterns.push_back(fmt::format("\"{}:{}\"", path, name));
      values += fmt::format("    {}) {} ;;\n", fmt::join(patterns, " | "), action);
    }
    std::vector<std::string> words;
    for (const auto& child : node.children) words.push_back(child.name);
    for (const auto& positional : node.positionals)
      words.insert(words.end(), positional.choices.begin(), positional.choices.end());
    std::vector<std::string> options;
    for (const auto& option : all_options(node, root)) options.insert(options.end(), option.names.begin(), option.names.end());
    offers += fmt::format("    \"{}\") words=\"{}\"; options=\"{}\"{} ;;\n", path, fmt::join(words, " "), fmt::join(options, " "),
                          paths_flag(node));
  });
  return util::fill("completion.bash", words_of(root, " | ").text("values", values).text("offers", offers));
}

Expected<std::string> zsh_script(const CommandNode& root) {
  // One item of _describe: the colon parts a word from what it means.
  const auto item = [](const std::string& word, const std::string& help) {
    return "'" + replace_all(replace_all(word, ":", "\\:") + (help.empty() ? "" : ":" + help), "'", "'\\''") + "'";
  };
  std::string values;
  std::string offers;
  each_command(root, "", [&](const CommandNode& node, const std::string& path) {
    std::vector<std::string> options;
    for (const auto& option : all_options(node, root)) {
      for (const auto& name : option.names) options.push_back(item(name, option.help));
      if (option.argument.empty()) continue;
      std::string action = "_message 'a value'; return";
      if (option.takes_folder) {
        action = "_files -/; return";
      } else if (option.takes_file) {
        action = "_files; return";
      } else if (!option.choices.empty()) {
        action = fmt::format("compadd -- {}; return", fmt::join(option.choices, " "));
      }
      std::vector<std::string> patterns;
      for (const auto& name : option.names) patterns.push_back(fmt::format("'{}:{}'", path, name));
      values += fmt::format("    {}) {} ;;\n", fmt::join(patterns, "|"), action);
    }
    std::vector<std::string> words;
    for (const auto& child : node.children) words.push_back(item(child.name, child.summary));
    for (const auto& positional : node.positionals) {
      for (const auto& choice : positional.choices) words.push_back(item(choice, ""));
    }
    offers += fmt::format("    '{}') items=({}); options=({}){} ;;\n", path, fmt::join(words, " "), fmt::join(options, " "),
                          paths_flag(node));
  });
  return util::fill("completion.zsh", words_of(root, "|").text("values", values).text("offers", offers));
}

Expected<std::string> fish_script(const CommandNode& root) {
  const auto quoted = [](const std::string& text) {
    return "'" + replace_all(replace_all(text, "\\", "\\\\"), "'", "\\'") + "'";
  };
  std::string lines;
  each_command(root, "", [&](const CommandNode& node, const std::string& path) {
    const auto condition = fmt::format("-n '__envgen_at \"{}\"'", path);
    for (const auto& child : node.children)
      lines += fmt::format("complete -c envgen {} -a {} -d {}\n", condition, child.name, quoted(child.summary));
    for (const auto& positional : node.positionals) {
      if (!positional.choices.empty())
        lines += fmt::format("complete -c envgen {} -a {}\n", condition,
                             quoted(fmt::format("{}", fmt::join(positional.choices, " "))));
      if (positional.takes_folder) lines += fmt::format("complete -c envgen {} -a '(__fish_complete_directories)'\n", condition);
      if (positional.takes_file) lines += fmt::format("complete -c envgen {} -F\n", condition);
    }
    for (const auto& option : all_options(node, root)) {
      std::string names;
      for (const auto& name : option.names) names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      std::string value;
      if (option.takes_folder) {
        value = " -x -a '(__fish_complete_directories)'";
      } else if (option.takes_file) {
        value = " -r -F";
      } else if (!option.choices.empty()) {
        value = " -x -a " + quoted(fmt::format("{}", fmt::join(option.choices, " ")));
      } else if (!option.argument.empty()) {
        value = " -x";
      }
      lines += fmt::format("complete -c envgen {}{}{} -d {}\n", condition, names, value, quoted(option.help));
    }
  });
  return util::fill("completion.fish", words_of(root, " ").text("lines", lines));
}

namespace {

/// Text that roff shows as it stands.
std::string roff(const std::string& text) {
  auto result = replace_all(text, "\\", "\\e");
  if (result.starts_with('.') || result.starts_with('\'')) result = "\\&" + result;
  return result;
}

/// One argument of a macro: quoted, so that no word of it is taken for another macro.
std::string argument(const std::string& text) { return "\"" + replace_all(roff(text), "\"", "\\(dq") + "\""; }

/// Sentences end their line, which mandoc asks for.
std::string paragraph(std::string text) {
  if (text.empty()) return {};
  return roff(replace_all(std::move(text), ". ", ".\n")) + "\n";
}

std::string man_date(std::string_view date) {
  static constexpr std::array<std::string_view, 12> months{"January", "February", "March",     "April",   "May",      "June",
                                                           "July",    "August",   "September", "October", "November", "December"};
  if (date.size() != 10) return "January 1, 2026";
  const auto digit = [&](std::size_t at) { return static_cast<std::size_t>(date[at] - '0'); };
  const auto number = [&](std::size_t at) { return digit(at) * 10 + digit(at + 1); };
  const auto month = number(5);
  if (month < 1 || month > months.size()) return "January 1, 2026";
  return fmt::format("{} {}, {}", months[month - 1], number(8), date.substr(0, 4));
}

/// `--format text|json` as a heading of its paragraph.
std::string option_line(const OptionNode& option) {
  std::string line = ".It";
  for (std::size_t i = 0; i < option.names.size(); ++i) {
    line += fmt::format("{} Fl {}", i == 0 ? "" : " ,", argument(option.names[i].substr(1)).replace(0, 1, "\"\\&"));
  }
  if (!option.argument.empty()) line += " Ar " + argument(option.argument);
  return line + "\n";
}

std::string option_list(const std::vector<OptionNode>& options) {
  std::string text;
  for (const auto& option : options) {
    if (option.names.front() == "-h" || option.names.front() == "--help") continue;
    text += option_line(option) + paragraph(option.help);
  }
  return text.empty() ? text : ".Bl -tag -width Ds\n" + text + ".El\n";
}

}  // namespace

Expected<std::string> manual(const CommandNode& root, std::string_view date) {
  std::string commands;
  each_command(root, "", [&](const CommandNode& node, const std::string& path) {
    if (path.empty()) return;
    commands += fmt::format(".Ss {}\n", argument(replace_all(path.substr(1), "/", " ")));
    commands += paragraph(node.summary + ".");
    for (const auto& positional : node.positionals)
      commands += ".Pp\n.Ar " + argument(positional.argument) + "\n: " + paragraph(positional.help + ".");
    commands += option_list(node.options);
  });
  return util::fill(
      "envgen.1",
      util::View().text("date", man_date(date)).text("options", option_list(root.options)).text("commands", commands));
}

}  // namespace envgen::cli
