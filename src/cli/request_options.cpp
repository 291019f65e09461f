#include "cli/request_options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/request.hpp"
#include "cli/choice_options.hpp"
#include "container/engine.hpp"
#include "host/this_machine.hpp"

namespace envgen::cli {
namespace {

/// `aliases`: the flag has its other names, too; validate has a `--gpus` of its own.
void add_field(CLI::App& app, RequestOptions& options, std::size_t index, const char* help, const char* group, bool aliases) {
  const auto& row = field_rows.at(index);
  const auto names = !aliases || *row.aliases == 0 ? std::string(row.flag) : fmt::format("{},{}", row.flag, row.aliases);
  const auto take = [&options, index](const std::string& text) {
    options.request.values.push_back(flag_value(static_cast<Field>(index), text));
  };
  CLI::Option* option = nullptr;
  switch (row.shape) {
    case Shape::text:
      option = app.add_option_function<std::string>(names, take, help);
      break;
    case Shape::flag:
      option = app.add_flag_callback(
          names, [take] { take("true"); }, help);
      break;
    case Shape::boards:
    case Shape::hosts:
      option = app.add_option_function<std::vector<std::string>>(
          names, [take](const auto& texts) { std::for_each(texts.begin(), texts.end(), take); }, help);
      option->allow_extra_args(false);
      break;
    case Shape::preset:
      option = app.add_option(row.flag, options.preset, help)->check(refuse_empty);
      break;
  }
  if (row.shape != Shape::flag) option->type_name(row.type);
  option->group(group);
}

}  // namespace

bool asks_for_anything(const RequestOptions& options) { return !options.request.values.empty() || !options.preset.empty(); }

void add_request_options(CLI::App& app, RequestOptions& options) {
  // Help has what takes one text first.
  for (const bool text : {true, false}) {
    for (std::size_t i = 0; i < field_rows.size(); ++i) {
      if ((field_rows.at(i).shape == Shape::text) == text) add_field(app, options, i, field_rows.at(i).help, "Request", true);
    }
  }
}

void add_comparison_options(CLI::App& app, RequestOptions& options) {
  constexpr const char* group = "Compare without a lock";
  for (const auto field : {Field::torch, Field::tensorflow, Field::cuda, Field::python}) {
    const auto index = static_cast<std::size_t>(field);
    add_field(app, options, index, field_rows.at(index).help, group, false);
  }
  add_field(app, options, static_cast<std::size_t>(Field::gpu),
            "a GPU that the build must run on, if this machine has none (repeatable): 4090, A100, 8.6, sm_120", group, false);
}

/// What `--engine auto` stands for.
Expected<host::FoundEngine> engine_of_this_machine() {
  constexpr std::chrono::seconds longest{30};
  const auto engine = container::Engine::find("auto", util::RunTime(longest));
  if (!engine) {
    auto error = engine.error();
    error.hints.emplace_back("name it: --engine docker|docker-cdi|podman|none");
    return tl::unexpected(std::move(error));
  }
  const auto& facts = engine->facts();
  const auto choice = container::engine_choice(engine->kind(), facts);
  if (const auto& docker = engine->passed_over()) {
    const auto why = docker->hints.empty() || docker->origin == "--engine"
                         ? docker->message
                         : fmt::format("{}: {}", docker->message, docker->hints.front());
    note(fmt::format("--engine auto uses podman {}: docker, which it tries first, cannot be used ({})", facts.version, why));
  }
  return host::FoundEngine{choice, fmt::format("{} {}{}", name_of(engine->kind()), facts.version,
                                               choice == Engine::docker_cdi ? ", which found CDI devices nvidia.com/gpu" : "")};
}

std::string refuse_empty(const std::string& text) { return text.empty() ? "the value is empty" : std::string(); }

Expected<Request> make_request(const RequestOptions& options, const RequestOptions& file, const matrix::Matrix& matrix) {
  auto filled = api::with_preset(options.request, options.preset, matrix);
  if (filled) filled->fill_from(file.request);
  if (filled && options.preset.empty()) filled = api::with_preset(std::move(*filled), file.preset, matrix);
  if (!filled) return filled;
  if (const auto& preset = options.preset.empty() ? file.preset : options.preset; !preset.empty())
    note(fmt::format("preset {}: {}", preset, matrix.preset(preset)->what.view()));
  const host::Known known{[&](std::string_view name) { return !matrix.gpus_named(name).empty(); }};
  return host::ask_this_machine(std::move(*filled), known, {[] { return host::probe({}); }, engine_of_this_machine});
}

}  // namespace envgen::cli
