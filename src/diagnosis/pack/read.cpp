#include "diagnosis/pack/pack.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "util/files.hpp"
#include "util/json_text.hpp"

namespace envgen::diagnosis::pack {
namespace {

using util::JsonCell;

constexpr std::size_t largest_file = std::size_t{1} << 20;
constexpr std::string_view list_of_subjects = "subjects.json";

std::string line_of(const JsonCell& cell) {
  const auto text = cell.text();
  if (cell.is_text() && text.empty()) cell.problem("the text is empty");
  if (without_spaces_around(text) != text) cell.problem("a space stands before or behind the text");
  return std::string(text);
}

/// A field that is missing was told, or may be.
std::vector<JsonCell> items_of(const JsonCell& cell) {
  if (cell.is_missing()) return {};
  auto items = cell.is_list() ? cell.items() : std::vector<JsonCell>();
  if (items.empty()) cell.problem(cell.is_list() ? "the list is empty" : "a list is needed here");
  return items;
}

template <class Item>
std::vector<std::string> list_of(const JsonCell& cell, Item item) {
  std::vector<std::string> texts;
  for (const auto& each : items_of(cell)) texts.push_back(item(each));
  return texts;
}

/// What is one text, and in the file often several lines of it.
std::string text_of(const JsonCell& cell) {
  if (cell.is_missing()) return {};
  if (cell.is_text()) return line_of(cell);
  if (!cell.is_list()) {
    cell.problem("a text is needed here, or a list of its lines");
    return {};
  }
  return fmt::format("{}", fmt::join(list_of(cell, line_of), " "));
}

Row row_of(const JsonCell& cell) {
  Row row;
  row.where = cell.where();
  if (!cell.is_object()) {
    cell.problem("an object is needed here");
    return row;
  }
  cell.allow_only(
      {"id", "title", "cause", "fix", "commands", "source", "proof", "patterns", "numbers", "hides", "resolves", "remark"});
  if (const auto id = cell.at("id"); !id.is_missing()) row.id = line_of(id);
  if (const auto title = cell.at("title"); !title.is_missing()) row.title = line_of(title);
  row.cause = text_of(cell.at("cause"));
  row.fix = text_of(cell.at("fix"));
  row.commands = list_of(cell.at("commands"), text_of);
  row.source = text_of(cell.at("source"));
  if (const auto proof = cell.at("proof"); !proof.is_missing()) row.proof = static_cast<Proof>(proof.choice(proof_names));
  row.patterns = list_of(cell.at("patterns"), line_of);
  row.numbers = list_of(cell.maybe("numbers"), line_of);
  row.hides = list_of(cell.maybe("hides"), line_of);
  row.resolves = list_of(cell.maybe("resolves"), [](const JsonCell& each) {
    each.choice({"gpu", "torch", "driver"});
    return std::string(each.text());
  });
  if (const auto remark = cell.maybe("remark"); !remark.is_missing()) row.remark = remark.flag();
  return row;
}

std::optional<JsonCell::Json> document(const std::filesystem::path& path, util::Problems& problems) {
  const auto text = util::read_file(path, largest_file);
  auto json = text ? util::parse_json(*text, path.string()) : tl::unexpected(text.error());
  if (json && json->is_object()) return std::move(*json);
  problems.push_back(json ? Error{ErrorCode::bad_input, "an object is needed at the top", path.string(), {}} : json.error());
  return std::nullopt;
}

std::vector<std::string> subjects_in(const std::filesystem::path& folder, util::Problems& problems) {
  const auto path = folder / list_of_subjects;
  const auto json = document(path, problems);
  if (!json) return {};
  const JsonCell top(&*json, path.string() + "#", problems);
  top.allow_only({"subjects"}, {"$schema"});
  std::vector<std::string> subjects;
  for (const auto& cell : items_of(top.at("subjects"))) {
    auto subject = line_of(cell);
    if (subject.empty()) continue;
    if (std::find(subjects.begin(), subjects.end(), subject) != subjects.end()) {
      cell.problem("the subject stands twice");
    } else {
      subjects.push_back(std::move(subject));
    }
  }
  return subjects;
}

/// A file that no subject names would be left out without a word.
void look_for_others(const std::filesystem::path& folder, const std::vector<std::string>& subjects, util::Problems& problems) {
  std::vector<std::filesystem::path> others;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const auto& path = entry.path();
    if (path.extension() != ".json" || path.filename() == list_of_subjects) continue;
    if (std::find(subjects.begin(), subjects.end(), path.stem().string()) == subjects.end()) others.push_back(path);
  }
  std::sort(others.begin(), others.end());
  for (const auto& path : others)
    problems.push_back({ErrorCode::bad_input, fmt::format("{} does not name this subject", list_of_subjects), path.string(), {}});
}

}  // namespace

std::vector<Row> read(const std::filesystem::path& folder, util::Problems& problems) {
  std::vector<Row> rows;
  const auto subjects = subjects_in(folder, problems);
  for (const auto& subject : subjects) {
    const auto path = folder / (subject + ".json");
    const auto json = document(path, problems);
    if (!json) continue;
    const JsonCell top(&*json, path.string() + "#", problems);
    top.allow_only({"subject", "diagnoses"}, {"$schema"});
    text_of(top.at("subject"));
    for (const auto& cell : items_of(top.at("diagnoses"))) rows.push_back(row_of(cell));
  }
  look_for_others(folder, subjects, problems);
  if (problems.empty()) lint(rows, problems);
  return rows;
}

}  // namespace envgen::diagnosis::pack
