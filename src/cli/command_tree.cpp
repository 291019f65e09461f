#include "cli/command_tree.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "diagnosis/diagnosis.hpp"
#include "files/outputs.hpp"
#include "model/request.hpp"
#include "validate/checks.hpp"
#include "validate/report.hpp"

namespace envgen::cli {
namespace {

/// Words by the flag, or the subject of `show`, that takes them.
using Words = std::map<std::string, std::vector<std::string>, std::less<>>;

Words known_words(const matrix::Matrix& matrix) {
  Words words;
  for (const auto& row : field_rows) {
    if (!row.choices.empty()) words[row.flag + 2].assign(row.choices.begin(), row.choices.end());
  }
  for (const auto& release : matrix->releases) words[std::string(name_of(release.framework))].emplace_back(release.text.view());
  for (const auto& minor : matrix->cuda_minors) words["cuda"].push_back(minor.cuda.to_string());
  for (const auto& python : matrix->pythons) words["python"].push_back(python.version.to_string());
  for (const auto& branch : matrix->branches) words["driver"].push_back(fmt::format("{}", branch.branch));
  for (const auto& os : matrix->os) words["os"].emplace_back(os.id.view());
  for (const auto& preset : matrix->presets) words["preset"].emplace_back(preset.name.view());
  for (const auto& output : files::outputs()) words["render"].emplace_back(output.name);
  for (const auto& failure : diagnosis::all()) words["explain"].emplace_back(failure.id);
  for (const auto& check : validate::checks()) words["require"].emplace_back(check.id);
  words["require"].emplace_back(validate::require_ipc_host);
  std::set<std::string> cudnns;
  for (const auto& cudnn : matrix->cudnns) cudnns.insert(cudnn.version.at(2).to_string());
  words["cudnn"].assign(cudnns.begin(), cudnns.end());
  // Names with spaces would need quoting that no two shells share; the short ones are what people type.
  std::set<std::string> boards;
  for (const auto& spelling : matrix->gpu_spellings) {
    if (spelling.view().find(' ') == std::string_view::npos) boards.emplace(spelling.view());
  }
  words["gpu"].assign(boards.begin(), boards.end());
  return words;
}

/// Nothing that a shell could take for more than a word.
bool is_plain(const std::string& word) {
  return !word.empty() &&
         word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+/-") == std::string::npos;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// `ID`: what stands for a value, and is none.
bool is_placeholder(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char letter) { return letter >= 'A' && letter <= 'Z'; });
}

/// `a|b|c`, without what is a placeholder there, or CLI11's `NAME:{a,b,c}`.
std::vector<std::string> choices_in(const std::string& type) {
  if (const auto brace = type.find('{'); brace != std::string::npos && type.back() == '}')
    return split(std::string_view(type).substr(brace + 1, type.size() - brace - 2), ',');
  if (type.find('|') == std::string::npos) return {};
  auto words = split(type, '|');
  std::erase_if(words, is_placeholder);
  return words;
}

bool takes(const std::string& type, const std::string& placeholder) {
  const auto words = split(type, '|');
  return std::find(words.begin(), words.end(), placeholder) != words.end();
}

OptionNode option_node(const CLI::Option& option, const std::string& subject, const Words& words) {
  OptionNode node;
  const bool positional = option.get_lnames().empty() && option.get_snames().empty();
  if (positional) node.names.push_back(option.get_name(true));
  for (const auto& name : option.get_snames()) node.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) node.names.push_back("--" + name);
  node.help = option.get_description();
  const bool flag = option.get_items_expected_max() == 0;
  if (flag) return node;
  const auto type = option.get_type_name();
  // Behind a colon CLI11 says what a check takes.
  const auto shown = type.find('|') == std::string::npos ? type.substr(0, type.find(':')) : type;
  node.argument = positional ? node.names.front() : shown;
  node.choices = choices_in(type);
  if (node.choices.empty()) {
    const auto known = words.find(positional ? std::string_view(subject) : std::string_view(option.get_lnames().front()));
    if (known != words.end()) node.choices = known->second;
  }
  std::erase_if(node.choices, [](const std::string& word) { return !is_plain(word); });
  node.takes_folder = takes(positional ? node.argument : shown, "DIR");
  node.takes_file = takes(shown, "FILE") || takes(shown, "PATH");
  return node;
}

CommandNode node_of(const CLI::App& app, const Words& words) {
  CommandNode node;
  node.name = app.get_name();
  node.summary = app.get_description();
  node.group = app.get_group();
  for (const auto* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // not for people
    const bool positional = option->get_lnames().empty() && option->get_snames().empty();
    (positional ? node.positionals : node.options).push_back(option_node(*option, node.name, words));
  }
  for (const auto* child : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!child->get_group().empty()) node.children.push_back(node_of(*child, words));
  }
  return node;
}

}  // namespace

CommandNode command_tree(const matrix::Matrix& matrix) {
  Context context(matrix::BuiltIn{matrix, {}});
  CLI::App app;
  set_up_app(app, context);
  std::vector<Action> actions;  // they keep what the options write to
  for (const auto& command : commands()) {
    auto* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    sub->group(std::string(command.group));
    actions.push_back(command.setup(*sub, context));
  }
  return node_of(app, known_words(matrix));
}

}  // namespace envgen::cli
