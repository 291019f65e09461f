#include "matrix/loading.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

constexpr Field source_fields[] = {
    {"what", Is::needed, "text", into<&Source::what>, "what was read, in at most 80 characters"},
    {"url", Is::or_null, "url", into<&Source::url>, "where it is, with a commit or a date if it changes; null: see `check`"},
    {"check", Is::optional, "text", into<&Source::check>, "how anyone reads it again where it has no URL: a command, or a file"},
    {"basis", Is::optional, Names<Basis>::names, into<&Source::basis>,
     "if omitted: `read`; `inferred`: a rule that `check` names; `unverified`: nobody read it"},
    {"read", Is::needed, "date", into<&Source::read>, "when"},
    {"note", Is::optional, "text", nullptr, "what else a reader of the file should know about it"},
};

}  // namespace

const Table tables::sources{.fields = source_fields};

void Loading::read(const Table& table, void* row, const Cell& cell) {
  if (!cell.is_object()) return cell.problem("must be an object");
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

void take(Loading&, PythonVersion& python, const Cell& value) {
  if (auto parsed = PythonVersion::parse(value.text())) {
    python = *parsed;
  } else {
    value.problem(parsed.error().message);
  }
}

void take(Loading& l, List<Arch>& list, const Cell& value) {
  const auto archs = value.archs();
  std::copy(archs.begin(), archs.end(), l.packer.fill(list, archs.size()));
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
