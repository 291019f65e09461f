#include "cli/shell_scripts.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace

std::string bash_script(const CommandNode& root) {
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
  return fmt::format(R"(# Completion of envgen for bash. Made by 'envgen completion bash'; do not edit.
_envgen() {{
  local cur prev path="" word words="" options="" folders="" files="" i IFS=$' \t\n'
  COMPREPLY=()
  cur="${{COMP_WORDS[COMP_CWORD]}}"
  prev="${{COMP_WORDS[COMP_CWORD-1]}}"
  # '--format=js' comes as three words.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $prev == "=" ]]; then
    prev="${{COMP_WORDS[COMP_CWORD-2]}}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${{COMP_WORDS[i]}}"
    case "$word" in
    {}) i=$((i + 1)); [[ ${{COMP_WORDS[i]}} == "=" ]] && i=$((i + 1)); continue ;;
    esac
    case "$path/$word" in
    {}) path="$path/$word" ;;
    esac
  done
  case "$path:$prev" in
{}  esac
  case "$path" in
{}  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$cur"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  elif [[ -n $folders ]]; then
    compopt -o filenames 2>/dev/null
    IFS=$'\n'
    COMPREPLY=($(compgen -d -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  fi
}}
complete -F _envgen envgen
)",
                     fmt::join(names_with_value(root), " | "), fmt::join(paths(root), " | "), values, offers);
}

std::string zsh_script(const CommandNode& root) {
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
  return fmt::format(R"(#compdef envgen
# Completion of envgen for zsh. Made by 'envgen completion zsh'; do not edit.
_envgen() {{
  local cmdpath="" word folders="" files="" current="${{words[CURRENT]}}" previous="${{words[CURRENT-1]}}"
  local -a items options
  local -i i
  for ((i = 2; i < CURRENT; i++)); do
    word="${{words[i]}}"
    case "$word" in
    {}) i=$((i + 1)); continue ;;
    esac
    case "$cmdpath/$word" in
    {}) cmdpath="$cmdpath/$word" ;;
    esac
  done
  case "$cmdpath:$previous" in
{}  esac
  case "$cmdpath" in
{}  esac
  if [[ $current == -* ]]; then
    _describe -o 'option' options
  elif [[ -n $files ]]; then
    (( $#items )) && _describe 'word' items
    _files
  elif (( $#items )); then
    _describe 'word' items
  elif [[ -n $folders ]]; then
    _files -/
  else
    _describe -o 'option' options
  fi
}}
if [[ $funcstack[1] == _envgen ]]; then
  _envgen "$@"
else
  compdef _envgen envgen
fi
)",
                     fmt::join(names_with_value(root), "|"), fmt::join(paths(root), "|"), values, offers);
}

std::string fish_script(const CommandNode& root) {
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
  return fmt::format(R"(# Completion of envgen for fish. Made by 'envgen completion fish'; do not edit.
function __envgen_at
    set -l words (commandline -opc)
    set -l path ""
    set -l skip 0
    for word in $words[2..-1]
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch $word
            case {}
                set skip 1
            case '*'
                switch "$path/$word"
                    case {}
                        set path "$path/$word"
                end
        end
    end
    test "$path" = "$argv[1]"
end
complete -c envgen -f
{})",
                     fmt::join(names_with_value(root), " "), fmt::join(paths(root), " "), lines);
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

std::string manual(const CommandNode& root, std::string_view date) {
  std::string text = fmt::format(R"(.\" Made by 'envgen man'; do not edit.
.Dd {}
.Dt ENVGEN 1
.Os
.Sh NAME
.Nm envgen
.Nd resolve PyTorch and CUDA environments for NVIDIA GPUs
.Sh SYNOPSIS
.Nm
.Op Fl \&-matrix Ar DIR
.Ar command
.Op Ar option ...
.Sh DESCRIPTION
.Nm
chooses one environment that is right to the last digit: torch, CUDA, cuDNN, Python, driver, images.
Each value comes with its reason.
Where no environment exists, it proves so from facts with their sources; where a fact is missing, it says which.
.Pp
The result goes to standard output, everything else to standard error.
.Sh OPTIONS
)",
                                 man_date(date));
  text += option_list(root.options);
  text += ".Sh COMMANDS\n";
  each_command(root, "", [&](const CommandNode& node, const std::string& path) {
    if (path.empty()) return;
    text += fmt::format(".Ss {}\n", argument(replace_all(path.substr(1), "/", " ")));
    text += paragraph(node.summary + ".");
    for (const auto& positional : node.positionals)
      text += ".Pp\n.Ar " + argument(positional.argument) + "\n: " + paragraph(positional.help + ".");
    text += option_list(node.options);
  });
  text += R"(.Sh ENVIRONMENT
.Bl -tag -width Ds
.It Ev ENVGEN_MATRIX
Folders of matrix files, separated by colons, used where
.Fl \&-matrix
is not given.
.It Ev ENVGEN_BENCH
The envgen-bench that
.Cm validate
and
.Cm bench
run, where
.Fl \&-bench
is not given.
.It Ev DOCKER_HOST
Where the engine of docker answers; it may be another machine.
.It Ev GITHUB_STEP_SUMMARY
The file that a report of the format github is added to, as Markdown.
.It Ev NO_COLOR
Where it is set and not empty, nothing is printed in colour.
.El
.Sh EXIT STATUS
.Bl -tag -width Ds -compact
.It 0
Done.
.It 1
A defect of envgen, or standard output cannot be written.
.It 2
A flag or a value that cannot be understood.
.It 3
No environment exists; the proof is on standard output.
.It 4
A matrix, project file, lock or template that cannot be read.
.It 5
A validation failed.
.It 6
A prerequisite is missing.
.It 7
A source could not be reached.
.It 8
Unknown: a fact is missing, and the answer names it.
.It 9
Files or reports differ
.Pq Fl \&-check , Cm diff , Cm report diff ,
or lint has findings.
.It 130
Interrupted.
.El
.Sh EXAMPLES
.Dl envgen resolve --torch 2.3 --cuda 12.1
.Dl envgen list torch --gpu 5090 --official
.Dl envgen show gpu 4090
.Dl envgen gpus --rank fp16 --class consumer --limit 10
.Dl envgen validate my-image --gpus all --ipc host --require gpu,ipc-host -o report.html
)";
  return text;
}

}  // namespace envgen::cli
