#include "cli/usage_error.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "files/options.hpp"
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

/// What nothing takes: the first of it in the order of the command line, for CLI11's own order differs from release to release.
Error not_expected(const CLI::App& app, const std::vector<std::string>& words) {
  auto left = app.remaining(true);
  const auto place = [&](const std::string& word) { return std::find(words.begin(), words.end(), word) - words.begin(); };
  const auto first =
      std::min_element(left.begin(), left.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  if (first == left.end()) return {ErrorCode::usage, "unexpected argument", {}, {}};
  const auto& command = innermost(app);
  if (!first->starts_with('-')) {
    std::vector<std::string> children;
    for (const auto* child : command.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
      children.push_back(child->get_name());
    auto hints = near_names(*first, children);
    if (const auto& named = command.get_name(); hints.empty() && (named == "resolve" || named == "lock"))
      hints.emplace_back("values belong to options: --torch 2.6 --gpu 5090; 'envgen why torch 2.6 gpu 5090' takes words");
    return {ErrorCode::usage, fmt::format("unexpected argument {}", in_quotes(*first)), {}, std::move(hints)};
  }
  const auto name = first->substr(0, first->find('='));
  const auto rows = files::option_rows();
  if (std::any_of(rows.begin(), rows.end(), [&](const files::OptionRow& row) { return row.option == name; }))
    return {ErrorCode::usage,
            fmt::format("{} is not an option of this command", name),
            {},
            {"it belongs to 'envgen render', and in envgen.json to \"outputs\""}};
  return {ErrorCode::usage, fmt::format("unknown option {}", in_quotes(name)), {}, near_names(name, options_of(command))};
}

/// The positional of this name as help shows it: `FIELD VALUE`; else the name.
std::string argument_called(const CLI::App& app, const std::string& name) {
  for (const auto* option : innermost(app).get_options()) {
    if (option->get_positional() && option->get_name() == name && !option->get_type_name().empty())
      return option->get_type_name();
  }
  return name;
}

/// `NAME: At most 1 required but received 2`, `NAME: 1 required VERSION missing`.
std::string in_our_words(const std::string& message) {
  const auto colon = message.find(": ");
  const auto name = message.substr(0, colon);
  constexpr std::string_view received = " 1 required but received ";
  if (const auto at = message.find(received); colon != std::string::npos && at != std::string::npos)
    return fmt::format("{}: given {} times, but it takes one value", name, message.substr(at + received.size()));
  constexpr std::string_view needed = ": 1 required ";
  constexpr std::string_view missing = " missing";
  if (const auto at = message.find(needed); at != std::string::npos && message.ends_with(missing)) {
    const auto from = at + needed.size();
    return fmt::format("{} needs a value: {}", name, message.substr(from, message.size() - from - missing.size()));
  }
  return message;
}

/// `--torch excludes --batch`.
std::string excluding(const std::string& message) {
  constexpr std::string_view excludes = " excludes ";
  const auto at = message.find(excludes);
  if (at == std::string::npos) return message;
  return fmt::format("{} and {} cannot be combined", message.substr(0, at), message.substr(at + excludes.size()));
}

/// `words is required`: a name of ours in place of a sentence.
std::string required(const std::string& message, const CLI::App& app) {
  constexpr std::string_view is_required = " is required";
  if (!message.ends_with(is_required)) return message;
  const auto name = message.substr(0, message.size() - is_required.size());
  if (name == "A subcommand") return "a subcommand is missing";
  return fmt::format("an argument is missing: {}", argument_called(app, name));
}

/// What help says of the argument that is missing.
std::vector<std::string> what_is_missing(const std::string& message, const CLI::App& app) {
  for (const auto* option : innermost(app).get_options()) {
    if (option->get_positional() && message.starts_with(option->get_name() + " is required") &&
        !option->get_description().empty())
      return {option->get_description()};
  }
  return {};
}

std::string sentence_of(const CLI::ParseError& error, const CLI::App& app) {
  std::string message = error.what();
  if (const auto newline = message.find('\n'); newline != std::string::npos) message.resize(newline);
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) return excluding(message);
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return required(message, app);
  return in_our_words(message);
}

}  // namespace

Error usage_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& words,
                  std::string_view command) {
  const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  auto result = extra ? not_expected(app, words) : Error{ErrorCode::usage, in_one_line(sentence_of(error, app)), {}, {}};
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) result.hints = what_is_missing(error.what(), app);
  const auto helped = path_to(innermost(app));
  const auto words_of_help = helped.empty() ? std::string(command) : helped;
  result.hints.push_back(words_of_help.empty() ? "see 'envgen --help'" : fmt::format("see 'envgen {} --help'", words_of_help));
  return result;
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
