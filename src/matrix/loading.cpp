#include "matrix/loading.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

constexpr Field source_fields[] = {
    {"what", Is::needed, "text", into<&Source::what>, "what was read"},
    {"url", Is::or_null, "url", into<&Source::url>, "where it stands, or null when `what` names it"},
    {"read", Is::needed, "date", into<&Source::read>, "when"},
};

template <class T>
void fill(Loading& loading, List<T>& list, const std::vector<T>& values) {
  std::copy(values.begin(), values.end(), loading.packer.fill(list, values.size()));
}

}  // namespace

namespace tables {
const Table sources{.fields = source_fields};
}  // namespace tables

void Loading::read(const Table& table, void* row, const Cell& cell) {
  if (!cell.is_object()) return cell.problem("an object is needed here");
  std::vector<std::string_view> names;
  for (const auto& field : table.fields) names.push_back(field.name);
  if (table.file.empty()) {
    cell.allow_only(names);
  } else {
    cell.allow_only(names, {"source", "field_sources"});  // which every row of a file has
  }
  for (const auto& field : table.fields) {
    const auto value = field.is == Is::optional ? cell.maybe(field.name) : cell.at(field.name);
    const bool unknown = value.is_missing() || (value.is_null() && (field.may_be_null() || field.is == Is::optional));
    if (!unknown && field.read != nullptr) field.read(*this, row, value);
  }
}

void Loading::provenance(Provenance& from, const Documents::Row& row) {
  const auto find = [&](const Cell& where) -> std::uint16_t {
    const auto id = where.text();
    const auto it = source_index.find(fmt::format("{}#{}", row.file, id));
    if (it != source_index.end()) return it->second;
    if (!id.empty()) where.problem(fmt::format("the source {} is not in this file's sources", in_quotes(id)));
    return 0;
  };
  const auto whole = cell(row);
  from.source = find(whole.at("source"));
  const auto entries = whole.maybe("field_sources").members();
  auto* fields = packer.fill(from.fields, entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    packer.put(fields[i].field, entries[i].first);
    fields[i].source = find(entries[i].second);
  }
}

void take(Loading& l, Text& text, const Cell& value) { l.packer.put(text, value.text()); }
void take(Loading&, Version& version, const Cell& value) { version = value.version(); }
void take(Loading&, DriverVersion& driver, const Cell& value) { driver = DriverVersion(value.version()); }
void take(Loading&, Capability& capability, const Cell& value) { capability = value.capability(); }
void take(Loading&, PythonVersion& python, const Cell& value) {
  if (auto parsed = PythonVersion::parse(value.text())) {
    python = *parsed;
  } else {
    value.problem(parsed.error().message);
  }
}
void take(Loading&, PythonSet& pythons, const Cell& value) { pythons = value.pythons(); }
void take(Loading&, bool& flag, const Cell& value) { flag = value.flag(); }
void take(Loading&, Answer& answer, const Cell& value) { answer = value.flag() ? Answer::yes : Answer::no; }
void take(Loading&, Number& number, const Cell& value) { number = value.number_or_nan(); }
void take(Loading&, std::uint16_t& number, const Cell& value) { number = value.version().major(); }
void take(Loading&, std::uint64_t& count, const Cell& value) { count = value.count_or_zero(); }
void take(Loading& l, List<Text>& texts, const Cell& value) {
  const auto items = value.items();
  auto* rows = l.packer.fill(texts, items.size());
  for (std::size_t i = 0; i < items.size(); ++i) take(l, rows[i], items[i]);
}
void take(Loading& l, List<Arch>& archs, const Cell& value) { fill(l, archs, value.archs()); }
void take(Loading& l, List<Version>& versions, const Cell& value) {
  std::vector<Version> all;
  for (const auto& item : value.items()) all.push_back(item.version());
  fill(l, versions, all);
}

void load_sources(Loading& loading) {
  std::vector<std::pair<std::string, Documents::Row>> all;
  std::string_view last_file;
  for (const auto* table : tables::all()) {
    if (table->file == last_file) continue;
    last_file = table->file;
    for (const auto& [id, row] : loading.documents.sources(table->file)) all.emplace_back(id, row);
  }
  auto* sources = loading.packer.fill(loading.root.sources, all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [id, row] = all[i];
    loading.packer.put(sources[i].id, id);
    loading.read(tables::sources, &sources[i], loading.cell(row));
    loading.source_index[row.file + "#" + id] = static_cast<std::uint16_t>(i);
  }
}

}  // namespace envgen::matrix
