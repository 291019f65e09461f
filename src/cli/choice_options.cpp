#include "cli/choice_options.hpp"

#include <array>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "answers/paragraph.hpp"
#include "cli/message.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"
#include "util/table.hpp"

namespace envgen::cli {
namespace {

constexpr std::array<std::string_view, 2> format_names{"text", "json"};

std::string wrong_choice(const std::string& text, std::span<const std::string_view> names) {
  const auto parsed = parse_choice(text, names);
  if (parsed) return {};
  auto message = parsed.error().message;
  for (const auto& hint : parsed.error().hints) message += fmt::format(" ({})", hint);
  return message;
}

CLI::Validator one_of(std::span<const std::string_view> names) {
  CLI::Validator validator;
  validator.operation([names](std::string& text) { return wrong_choice(text, names); });
  return validator;
}

}  // namespace

void add_choice(CLI::App& app, const std::string& flag, std::size_t& target, std::span<const std::string_view> names,
                const std::string& help) {
  app.add_option_function<std::string>(
         flag, [&target, names](const std::string& text) { target = parse_choice(text, names).value_or(0); }, help)
      ->check(one_of(names))
      ->type_name(fmt::format("{}", fmt::join(names, "|")));
}

void add_choices(CLI::App& app, const std::string& flag, std::vector<std::size_t>& targets,
                 std::span<const std::string_view> names, const std::string& help) {
  app.add_option_function<std::vector<std::string>>(
         flag,
         [&targets, names](const std::vector<std::string>& texts) {
           for (const auto& text : texts) targets.push_back(parse_choice(text, names).value_or(0));
         },
         help)
      ->check(one_of(names))
      ->type_name(fmt::format("{}", fmt::join(names, "|")))
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_format(CLI::App& app, Context& context) {
  app.add_option_function<std::string>(
         "--format", [&context](const std::string& text) { context.json = text == format_names[1]; }, "the output format")
      ->check(one_of(format_names))
      ->type_name(fmt::format("{}", fmt::join(format_names, "|")))
      ->group("Output");
  add_json(app, [&context] { context.json = true; });
}

void add_json(CLI::App& app, std::function<void()> choose) {
  const auto* format = app.get_option("--format");
  const auto choose_json = [format, choose = std::move(choose)] {
    for (const auto& other : format->results()) {
      if (other != "json") throw CLI::ExcludesError("--json", "--format " + other);
    }
    choose();
  };
  app.add_flag_callback("--json", choose_json, "the same as --format json")->group("Output");
}

Expected<Exit> ended(bool printed, Exit exit) {
  if (!printed) return fail(ErrorCode::internal, "cannot write to standard output");
  return exit;
}

Expected<Exit> written(const std::string& text) { return ended(print(text), Exit::ok); }
Expected<Exit> written_as_it_is(const std::string& text) { return ended(print_as_it_is(text), Exit::ok); }

namespace {

std::size_t rows_of_notes = 0;

}  // namespace

void note(const std::string& text) {
  const auto terminal = util::Terminal::of_stderr();
  const auto message = message_text(fmt::format("envgen: {}\n", text), terminal.width);
  rows_of_notes += answers::lines_on_screen(message, terminal);
  print(message, stderr);
}

std::size_t rows_of_the_notes() { return rows_of_notes; }
void forget_the_notes() { rows_of_notes = 0; }

}  // namespace envgen::cli
