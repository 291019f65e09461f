#include "cli/output_options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/request_options.hpp"
#include "model/spelling.hpp"

namespace envgen::cli {

Expected<const files::Output*> find_kind(const std::string& name, std::string_view command) {
  if (const auto* found = files::find_output(name)) return found;
  std::vector<std::string_view> names;
  for (const auto& one : files::outputs()) names.push_back(one.name);
  auto hints = did_you_mean(name, names);
  if (lower(name).starts_with("environment.")) hints = {"did you mean conda? It writes environment.yaml"};
  for (const auto& one : names) {  // docker-compose
    if (hints.empty() && lower(name).find(one) != std::string::npos) hints.push_back(fmt::format("did you mean {}?", one));
  }
  return fail(ErrorCode::usage, fmt::format("{} is not an output; the outputs are {}", in_quotes(name), fmt::join(names, ", ")),
              std::string(command), std::move(hints));
}

void add_output_options(CLI::App& app, OutputFlags& flags) {
  std::vector<const files::OptionRow*> rows;
  for (const auto& row : files::option_rows()) rows.push_back(&row);
  std::sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return a->place < b->place; });
  for (const auto* row : rows) {
    const auto take = [&flags, row](const std::string& text) { flags.emplace_back(row, text); };
    CLI::Option* option = nullptr;
    if (*row->type == '\0') {
      option = app.add_flag_callback(
          row->option, [take, row] { take(row->option); }, row->help);
    } else if (std::holds_alternative<files::Texts>(row->value)) {
      option = app.add_option_function<std::vector<std::string>>(
          row->option, [take](const auto& texts) { std::for_each(texts.begin(), texts.end(), take); }, row->help);
      option->allow_extra_args(false)->type_name(row->type);
    } else {
      option = app.add_option_function<std::string>(row->option, take, row->help)->type_name(row->type);
    }
    if (row->refuses_empty) option->check(refuse_empty);
    option->group(row->group);
  }
}

Expected<files::Options> output_options(const OutputFlags& flags, files::Options options) {
  const files::OptionRow* last = nullptr;
  for (const auto& [row, text] : flags) {
    // The labels of a runner stand in place of the project's; packages are added to its own.
    const bool first = row != last;
    last = row;
    if (const auto* texts = std::get_if<files::Texts>(&row->value)) {
      if (first && *texts == &files::Options::gpu_runner) options.gpu_runner.clear();
      (options.*(*texts)).push_back({text, row->option});
    }
    if (const auto* one = std::get_if<files::OneText>(&row->value); one != nullptr && !text.empty())
      options.*(*one) = {text, row->option};
    if (const auto* on = std::get_if<files::Switch>(&row->value)) options.*(*on) = true;
  }
  if (auto checked = files::check_options(options); !checked) return tl::unexpected(std::move(checked.error()));
  return options;
}

}  // namespace envgen::cli
