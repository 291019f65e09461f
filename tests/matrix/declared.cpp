#include "matrix/declared.hpp"

#include <fmt/format.h>

namespace envgen::test {
namespace {

using Json = nlohmann::ordered_json;
using matrix::Field;
using matrix::Is;
using matrix::Table;

/// Of objects: `list`, or `list, may be empty`.
bool is_list(const Field& field) { return field.form.name.starts_with("list"); }

Json object_of(const Table& table, const Json& forms, const std::string& where);

Json form_of(const Field& field, const Table& table, const Json& forms, const std::string& where) {
  if (field.inside != nullptr) {
    const auto object = object_of(*field.inside, forms, where + "/" + std::string(field.name));
    if (!is_list(field)) return object;
    return {{"type", "array"}, {"items", object}, {"uniqueItems", true}, {"minItems", field.form.name == "list" ? 1 : 0}};
  }
  if (!field.form.names.empty()) return {{"enum", field.form.names}};
  if (field.form.name == "fields") {
    Json names = Json::array();
    for (const auto& other : table.fields) names.push_back(other.name);
    return {{"type", "array"}, {"items", {{"enum", names}}}, {"uniqueItems", true}};
  }
  return {{"$ref", fmt::format("#/$defs/{}", field.form.name)}};
}

/// The schema of a row, or of an object inside one, without what every row has.
Json object_of(const Table& table, const Json& forms, const std::string& where) {
  Json required = Json::array();
  Json properties;
  for (const auto& field : table.fields) {
    auto form = form_of(field, table, forms, where);
    if (field.may_be_null()) form = {{"anyOf", {form, {{"type", "null"}}}}};
    if (!field.says.empty()) form["description"] = field.says;
    properties[std::string(field.name)] = form;
    if (field.is != Is::optional) required.push_back(field.name);
  }
  Json object{{"type", "object"}, {"additionalProperties", false}, {"required", required}, {"properties", properties}};
  if (required.empty()) object.erase("required");
  if (forms.at("also").contains(where)) object.update(forms.at("also").at(where));
  return object;
}

Json row_of(const Table& table, const Json& forms) {
  const Json id{{"$ref", "#/$defs/id"}};
  auto row = object_of(table, forms, fmt::format("{}#/{}", table.file, table.list));
  Json names = Json::array();
  for (const auto& field : table.fields) names.push_back(field.name);
  row["required"].push_back("source");
  row["properties"]["source"] = id;
  row["properties"]["field_sources"] = {
      {"type", "object"}, {"minProperties", 1}, {"propertyNames", {{"enum", names}}}, {"additionalProperties", id}};
  return row;
}

/// Adds the forms that `schema` refers to, and those that these refer to.
void add_forms(const Json& schema, const Json& forms, Json& defs) {
  if (schema.is_object() && schema.contains("$ref")) {
    const auto name = schema.at("$ref").get<std::string>().substr(std::string("#/$defs/").size());
    if (!defs.contains(name)) {
      defs[name] = forms.at("forms").at(name);
      add_forms(forms.at("forms").at(name), forms, defs);
    }
  }
  if (!schema.is_structured()) return;
  for (const auto& part : schema) add_forms(part, forms, defs);
}

std::string cell(std::string text) {
  for (auto bar = text.find('|'); bar != std::string::npos; bar = text.find('|', bar + 2)) text.insert(bar, 1, '\\');
  return text;
}

std::string shown_form(const Field& field) {
  std::string form(field.form.name);
  for (const auto name : field.form.names) form += fmt::format("{}`{}`", form.empty() ? "" : ", ", name);
  return form + (field.may_be_null() ? " or null" : field.is == Is::optional ? ", may be left out" : "");
}

void add_lines(std::string& text, const Table& table, const std::string& before) {
  for (const auto& field : table.fields) {
    const auto name = before + std::string(field.name);
    text += fmt::format("| {0}{1}{0} | {2} | {3} |\n", field.is_key() ? "**" : "", name, shown_form(field),
                        cell(std::string(field.says)));
    if (field.inside != nullptr) add_lines(text, *field.inside, name + (is_list(field) ? "[]." : "."));
  }
}

}  // namespace

Json schema_of(std::string_view file, const Json& forms) {
  const auto name = fmt::format("{}.schema.json", file.substr(0, file.find('.')));
  Json required{"$schema", "sources"};
  Json lists{{"$schema", {{"const", "schema/" + name}}},
             {"sources",
              {{"type", "object"},
               {"minProperties", 1},
               {"propertyNames", {{"$ref", "#/$defs/id"}}},
               {"additionalProperties", object_of(matrix::tables::sources, forms, "")}}}};
  for (const auto* table : matrix::tables::all()) {
    if (table->file != file) continue;
    required.push_back(table->list);
    lists[std::string(table->list)] = {{"description", table->says}, {"type", "array"}, {"items", row_of(*table, forms)}};
  }
  Json defs;
  add_forms(lists, forms, defs);
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"$id", name},
          {"$comment", "made from src/matrix and forms.json: CONTRIBUTING.md, Adding a fact"},
          {"title", forms.at("files").at(std::string(file))},
          {"type", "object"},
          {"additionalProperties", false},
          {"required", required},
          {"properties", lists},
          {"$defs", defs}};
}

std::string fields_for_people(const Json& forms) {
  std::string text;
  std::string_view file;
  for (const auto* table : matrix::tables::all()) {
    if (table->file != file) text += fmt::format("\n## {}\n", table->file);
    file = table->file;
    text += fmt::format("\n`{}`: {}\n\n| field | form | |\n|---|---|---|\n", table->list, table->says);
    add_lines(text, *table, "");
  }
  text += "\n## Forms\nForms that are not here say what they are.\n\n| form | |\n|---|---|\n";
  for (const auto& [name, form] : forms.at("forms").items()) {
    if (form.contains("description")) text += fmt::format("| {} | {} |\n", name, cell(form.at("description")));
  }
  return text;
}

}  // namespace envgen::test
