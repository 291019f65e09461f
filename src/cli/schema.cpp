#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/embedded_schemas.hpp"
#include "cli/request_options.hpp"
#include "model/choices.hpp"
#include "util/json_writer.hpp"
#include "util/table.hpp"

namespace envgen::cli {
namespace {

constexpr std::size_t schema_count = util::embedded_schemas.size();

/// What a schema is called: `envgen` for envgen.schema.json.
constexpr std::array<std::string_view, schema_count> names_of_schemas() {
  std::array<std::string_view, schema_count> names;
  for (std::size_t i = 0; i < schema_count; ++i) {
    const auto file = util::embedded_schemas[i].name;
    names[i] = file.substr(0, file.find('.'));
  }
  return names;
}
constexpr auto schema_names = names_of_schemas();

std::string title_of(std::string_view schema) { return nlohmann::json::parse(schema).at("title").get<std::string>(); }

std::string list_json() {
  constexpr int indent = 2;
  util::JsonWriter json(indent);
  json.begin_object().member("schema_version", 1).key("schemas").begin_array();
  for (std::size_t i = 0; i < schema_count; ++i)
    json.begin_object().member("name", schema_names[i]).member("title", title_of(util::embedded_schemas[i].text)).end_object();
  json.end_array().end_object();
  return json.take() + "\n";
}

std::string list_text() {
  util::Table table({"schema", "describes"});
  for (std::size_t i = 0; i < schema_count; ++i)
    table.add({std::string(schema_names[i]), title_of(util::embedded_schemas[i].text)});
  return table.text(util::Terminal::of_stdout()) + "\n'envgen schema NAME' prints one.\n";
}

Expected<Exit> run_schema(const std::string& name, const Context& context) {
  if (name.empty()) return written(context.json ? list_json() : list_text());
  const auto index = parse_choice(name, schema_names);
  if (!index) return tl::unexpected(index.error());
  return written_as_it_is(std::string(util::embedded_schemas[*index].text));
}

}  // namespace

Action setup_schema(CLI::App& app, Context& context) {
  auto name = std::make_shared<std::string>();
  app.add_option("NAME", *name, "the schema to print (default: list them)")
      ->check(refuse_empty)
      ->type_name(fmt::format("{}", fmt::join(schema_names, "|")));
  add_format(app, context);
  app.footer("With the schema, an editor can complete and check envgen.json; the settings are in docs/editors.md.");
  return [name, &context] { return run_schema(*name, context); };
}

}  // namespace envgen::cli
