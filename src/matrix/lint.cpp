#include "matrix/lint.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "matrix/linting.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

void check_source(Lint& lint, const Cell& row) {
  // The loader names a source that is missing, of another type, or not in the file's sources.
  const auto source = row.maybe("source");
  if (source.is_text() && source.text().empty()) lint.find(source, "the row has no source");
  for (const auto& [field, id] : row.maybe("field_sources").members()) {
    if (row.maybe(field).is_missing()) lint.find(id, fmt::format("the row has no field {}", in_quotes(field)));
    if (id.is_text() && id.text().empty()) lint.find(id, "the field has no source");
  }
}

/// Answers print the title of a source on one line.
constexpr std::size_t longest_title = 80;

void check_title(Lint& lint, const Cell& title) {
  const auto text = title.text();
  if (text.empty()) return lint.find(title, "the source does not say what was read");
  const auto length = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
  if (length > longest_title)
    lint.find(title, fmt::format("the title has {} characters; at most {} fit on a line, and the rest belongs in `note`", length,
                                 longest_title));
}

/// Nothing reads a note but people, so it is looked at here.
void check_note(Lint& lint, const Cell& note) {
  if (note.is_missing()) return;
  if (!note.is_text()) return lint.find(note, "must be a string");
  if (note.text().empty()) lint.find(note, "the note is empty (omit it)");
}

/// A person can follow a source, or is told that nobody read it.
void check_address(Lint& lint, const Cell& source) {
  const auto empty = [](const Cell& cell) {
    return cell.is_missing() || cell.is_null() || (cell.is_text() && cell.text().empty());
  };
  const auto url = source.maybe("url");
  const auto check = source.maybe("check");
  if (!check.is_missing() && empty(check)) lint.find(check, "`check` is empty (omit it)");
  if (!empty(url) && !empty(check))
    lint.find(check, "a source with a URL has no `check` (what else a reader should know is its `note`)");
  const auto basis = source.maybe("basis");
  const bool unverified = basis.is_text() && basis.text() == "unverified";
  if (!empty(url) && unverified) lint.find(basis, "a source that nobody read has no URL");
  if (empty(url) && empty(check) && !unverified)
    lint.find(source, "nobody can follow the source: give it a `url`, or a `check` that says how to read it again");
}

/// What no cell of any row can be.
void check_numbers(Lint& lint, const std::string& where, const Json& cell) {
  if (cell.is_structured()) {
    for (const auto& [key, value] : cell.items()) check_numbers(lint, fmt::format("{}/{}", where, key), value);
  } else if (cell.is_number() && cell.get<double>() < 0) {
    lint.find(where, fmt::format("{} is negative", cell.dump()));
  }
}

void check_description(Lint& lint, const Cell& source) {
  check_title(lint, source.maybe("what"));
  check_note(lint, source.maybe("note"));
  check_address(lint, source);
}

void lint_rows(Lint& lint, Look look) {
  std::string_view last_file;
  for (const auto* table : tables::all()) {
    if (table->file != last_file) {
      for (const auto& [id, source] : lint.documents().sources(table->file)) {
        const auto cell = lint.cell(source);
        if (look == Look::everything) check_description(lint, cell);
        lint.check_forms(tables::sources, cell);
      }
    }
    last_file = table->file;
    for (const auto& row : lint.rows(*table)) {
      check_source(lint, lint.cell(row));
      check_numbers(lint, row.where, *row.value);
      lint.check_forms(*table, lint.cell(row));
    }
  }
}

/// Puts problems in the order of the rows that they are in: `FILE#/LIST/NUMBER/...`. Those of sources are first.
void sort_by_row(const Documents& documents, std::span<Error> problems) {
  std::map<std::string, std::size_t, std::less<>> places;
  for (const auto* table : tables::all()) {
    for (const auto& row : documents.rows(*table)) places.emplace(in_one_line(row.where), places.size() + 1);
  }
  const auto place_of = [&](const Error& problem) {
    const std::string_view where = problem.origin;
    const auto number = where.find('/', where.rfind("#/") + 2) + 1;
    const auto place = places.find(where.substr(0, where.find('/', number)));
    return place == places.end() ? 0 : place->second;
  };
  std::stable_sort(problems.begin(), problems.end(), [&](const Error& a, const Error& b) { return place_of(a) < place_of(b); });
}

/// Reading stops at the first file that cannot be read; what is wrong inside a file is a problem.
bool is_problem(const Error& error) { return error.origin.find("#/") != std::string::npos; }

}  // namespace

Expected<std::vector<Error>> lint(const std::vector<std::filesystem::path>& layers) {
  const auto documents = Documents::read(layers);
  if (!documents) {
    if (is_problem(documents.error())) return std::vector<Error>{documents.error()};
    return tl::unexpected(documents.error());
  }
  return lint(*documents);
}

std::vector<Error> lint(const Documents& documents, Look look) {
  Problems problems;
  Packer packer(room_for(documents));
  Loading loading{documents, packer, *packer.reserve<Root>(1), problems};
  if (load_all(loading)) {
    const auto told = problems.size();
    Lint all(loading, problems);
    lint_rows(all, look);
    lint_torch(all);
    lint_cuda(all);
    lint_gpus(all);
    lint_images(all);
    lint_rules(all);
    sort_by_row(documents, std::span(problems).subspan(told));
  }
  for (auto& problem : problems) problem.code = ErrorCode::differs;
  return problems;
}

}  // namespace envgen::matrix
