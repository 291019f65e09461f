#include "matrix/export.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "matrix/written.hpp"

namespace envgen::matrix {
namespace {

bool is_list_of_texts(const Json& value) {
  return value.is_array() && !value.empty() &&
         std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_string(); });
}

std::string csv_cell(const Json* value) {
  std::string text;
  if (value == nullptr || value->is_null()) return text;
  if (value->is_string()) {
    text = value->get<std::string>();
  } else if (is_list_of_texts(*value)) {
    for (const auto& item : *value) text += (text.empty() ? "" : " ") + item.get<std::string>();
  } else {
    text = value->dump();
  }
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const auto& cell : cells) line += (&cell == &cells.front() ? "" : ",") + cell;
  return line + "\r\n";
}

const Json* member(const Json* object, std::string_view name) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto it = object->find(std::string(name));
  return it == object->end() ? nullptr : &*it;
}

/// An object that is a part of its row; a list of objects stays in one cell.
bool is_part(const Field& field) { return field.inside != nullptr && !field.form.name.starts_with("list"); }

std::vector<std::string> csv_titles(const Table& table) {
  std::vector<std::string> titles;
  for (const auto& field : table.fields) {
    if (!is_part(field)) {
      titles.emplace_back(field.name);
      continue;
    }
    for (const auto& inner : field.inside->fields) titles.push_back(fmt::format("{}.{}", field.name, inner.name));
  }
  titles.emplace_back("source");
  titles.emplace_back("field_sources");
  return titles;
}

/// `cudnn=release-md nccl=wheel-metadata`
std::string field_sources_of(const Json& row) {
  std::string text;
  if (const auto* sources = member(&row, "field_sources"); sources != nullptr) {
    for (const auto& [field, id] : sources->items())
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", field, id.is_string() ? id.get<std::string>() : id.dump());
  }
  return text;
}

std::vector<std::string> csv_cells(const Table& table, const Json& row) {
  std::vector<std::string> cells;
  for (const auto& field : table.fields) {
    const auto* value = member(&row, field.name);
    if (!is_part(field)) {
      cells.push_back(csv_cell(value));
      continue;
    }
    for (const auto& inner : field.inside->fields) cells.push_back(csv_cell(member(value, inner.name)));
  }
  cells.push_back(csv_cell(member(&row, "source")));
  const Json sources = field_sources_of(row);
  cells.push_back(csv_cell(&sources));
  return cells;
}

std::string stem_of(std::string_view file) { return std::string(file.substr(0, file.rfind('.'))); }

std::string csv_of_sources(const Documents& documents) {
  auto text = csv_line({"file", "id", "what", "url", "check", "basis", "read"});
  for (const auto& file : file_names()) {
    for (const auto& [id, source] : documents.sources(file)) {
      const Json keys[] = {file, id};
      text += csv_line({csv_cell(&keys[0]), csv_cell(&keys[1]), csv_cell(member(source.value, "what")),
                        csv_cell(member(source.value, "url")), csv_cell(member(source.value, "check")),
                        csv_cell(member(source.value, "basis")), csv_cell(member(source.value, "read"))});
    }
  }
  return text;
}

}  // namespace

std::vector<ExportedFile> as_json_files(const Documents& documents) {
  std::vector<ExportedFile> files;
  const auto all = documents.merged();
  for (const auto& [file, document] : all.items()) files.push_back({file, written(document)});
  return files;
}

std::string as_one_json(const Documents& documents) { return written(documents.merged()); }

std::vector<ExportedFile> as_csv_files(const Documents& documents) {
  std::vector<ExportedFile> files;
  Json document;
  std::string_view file;
  for (const auto* table : tables::all()) {
    if (table->file != file) document = documents.merged(table->file);
    file = table->file;
    auto text = csv_line(csv_titles(*table));
    if (const auto* list = member(&document, table->list); list != nullptr) {
      for (const auto& row : *list) text += csv_line(csv_cells(*table, row));
    }
    files.push_back({fmt::format("{}-{}.csv", stem_of(table->file), table->list), std::move(text)});
  }
  files.push_back({"sources.csv", csv_of_sources(documents)});
  return files;
}

}  // namespace envgen::matrix
