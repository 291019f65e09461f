#include "update/draft.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <fmt/format.h>

#include "matrix/lint.hpp"
#include "matrix/row_order.hpp"
#include "matrix/written.hpp"
#include "update/answers.hpp"
#include "util/descriptor.hpp"
#include "util/files.hpp"
#include "util/json_text.hpp"

namespace envgen::update {
namespace {

const std::string head_name = "matrix.json";

/// The bytes of the matrix files in a folder. One that cannot be read is told elsewhere.
std::map<std::string, std::string> files_in(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& name : matrix::file_names()) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(folder / name, ignored)) continue;
    if (auto bytes = util::read_file(folder / name, matrix::largest_file)) files.emplace(name, std::move(*bytes));
  }
  return files;
}

/// The rows of a file of the user's layer that are in use: where the built-in facts are newer, theirs are.
Json in_use(const matrix::Documents& facts, const Json& document, const std::string& file, const std::string& path) {
  Json kept = Json::object();
  if (const auto sources = document.find("sources"); sources != document.end()) kept["sources"] = *sources;
  for (const auto* table : matrix::tables::all()) {
    if (table->file != file || !document.contains(std::string(table->list))) continue;
    Json rows = Json::array();
    for (const auto& row : facts.rows(*table)) {
      if (row.where.starts_with(path)) rows.push_back(*row.value);
    }
    kept[std::string(table->list)] = std::move(rows);
  }
  return kept;
}

/// The sources that the row names, so that the file can be read alone.
void add_named_sources(Json& document, const matrix::Documents& facts, const matrix::Table& table, const Json& row) {
  auto& own = document["sources"];
  const auto& known = facts.sources(table.file);
  const auto add = [&](const Json& id) {
    const auto it = id.is_string() ? known.find(id.get<std::string>()) : known.end();
    if (it != known.end() && !own.contains(it->first)) own[it->first] = *it->second.value;
  };
  if (const auto source = row.find("source"); source != row.end()) add(*source);
  if (const auto others = row.find("field_sources"); others != row.end() && others->is_object()) {
    for (const auto& [field, id] : others->items()) add(id);
  }
}

}  // namespace

std::string next_revision(const std::string& revision, const std::string& today) {
  std::string day = today;
  std::replace(day.begin(), day.end(), '-', '.');
  if (revision == day) return day + ".1";
  if (!revision.starts_with(day + ".")) return day;
  int number = 0;
  std::from_chars(revision.data() + day.size() + 1, revision.data() + revision.size(), number);
  return fmt::format("{}.{}", day, number + 1);
}

Expected<Draft> Draft::of(Place place, std::string today) {
  auto read = files_in(place.folder);  // first: what another run writes from here on is seen in write()
  auto facts = place.facts();
  if (!facts) return tl::unexpected(facts.error());
  if (const auto problems = matrix::lint(*facts, matrix::Look::facts); !problems.empty())
    return fail(ErrorCode::bad_input, "the data in use is invalid: " + problems.front().message, problems.front().origin,
                {"'envgen matrix lint' lists all errors"});
  Draft draft(std::move(place), std::move(today), std::move(*facts));
  draft.read_ = std::move(read);
  auto files = draft.own_files();
  if (!files) return tl::unexpected(files.error());
  draft.files_ = std::move(*files);
  return draft;
}

Expected<Draft::Files> Draft::own_files() const {
  Files read;
  for (const auto& [file, bytes] : read_) {
    auto json = util::parse_json(bytes, (place_.folder / file).string());
    if (!json) return tl::unexpected(json.error());
    read.emplace(file, std::move(*json));
  }
  matrix::Documents own;
  if (auto added = own.add_files(place_.folder.string(), read); !added) return tl::unexpected(added.error());
  Files files;
  for (const auto& file : matrix::file_names()) {
    auto document = own.merged(file);
    if (document.empty()) continue;
    const auto path = (place_.folder / file).string();
    files[file] = place_.user && file != head_name ? in_use(facts_, document, file, path) : std::move(document);
  }
  return files;
}

Expected<matrix::Documents> Draft::assembled(const Files& files) const {
  auto documents = place_.below();
  if (!documents) return documents;
  if (auto added = documents->add_files(place_.folder.string(), files); !added) return tl::unexpected(added.error());
  return documents;
}

Expected<void> Draft::take(const Merged& merged) {
  if (merged.changes.empty()) return {};
  auto files = files_;
  auto rows = rows_;
  for (const auto& change : merged.changes) {
    const std::string file(change.table->file);
    auto& document = files[file];
    if (document.is_null()) document = Json::object();
    if (!document.contains("sources")) document["sources"] = Json::object();
    auto& list = document[std::string(change.table->list)];
    if (list.is_null()) list = Json::array();
    matrix::insert_row(list, *change.table, change.after);
    add_named_sources(document, facts_, *change.table, change.after);
    ++rows[file];
  }
  for (const auto& [file, sources] : merged.sources) {
    for (const auto& [id, row] : sources) files[file]["sources"][id] = row;
  }
  files[head_name] = head();
  auto facts = assembled(files);
  if (!facts) return tl::unexpected(facts.error());
  if (const auto problems = matrix::lint(*facts, matrix::Look::facts); !problems.empty())
    return fail(ErrorCode::bad_input,
                fmt::format("it would make the data invalid, so nothing from it is used: {}", problems.front().message),
                problems.front().origin);
  files_ = std::move(files);
  rows_ = std::move(rows);
  facts_ = std::move(*facts);
  return {};
}

Json Draft::head() const {
  const auto it = files_.find(head_name);
  Json head = it != files_.end() ? it->second : Json::object();
  if (!rows_.empty()) return head;  // raised by an earlier source
  const auto now = text_in(facts_.head(), "revision");
  head["schema_version"] = 1U;
  head["revision"] = next_revision(now, today_);
  head["read"] = today_;
  if (place_.user) {
    if (const auto below = place_.below()) head["over"] = text_in(below->head(), "revision");
  }
  return head;
}

Expected<Draft::Written> Draft::write() const {
  std::error_code failed;
  std::filesystem::create_directories(place_.folder, failed);
  if (failed)
    return fail(ErrorCode::bad_input, fmt::format("cannot create the folder ({})", failed.message()), place_.folder.string());
  // Of two runs at once, the second to write would undo what the first has written. Where a folder cannot be locked, the moment
  // between looking and writing stays.
  const util::Descriptor folder(::open(place_.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  while (folder.get() >= 0 && ::flock(folder.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  if (files_in(place_.folder) != read_)
    return fail(ErrorCode::bad_input, "another run has since changed these files, so nothing was written", place_.folder.string(),
                {"run it again: what was fetched is in the cache"});
  std::vector<util::NewFile> files;
  std::vector<std::string> names;
  for (const auto& [name, document] : files_) {
    if (name != head_name && !rows_.contains(name) && !place_.user) continue;
    files.push_back({place_.folder / name, matrix::written(document)});
    names.push_back(name);
  }
  if (auto written = util::write_files(files); !written) return tl::unexpected(written.error());
  return Written{place_.folder.string(), std::move(names)};
}

}  // namespace envgen::update
