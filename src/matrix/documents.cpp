#include "matrix/documents.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "matrix/built_in.hpp"
#include "matrix/row_order.hpp"
#include "model/spelling.hpp"
#include "util/files.hpp"
#include "util/json_text.hpp"
#include "util/sha256.hpp"

namespace envgen::matrix {
namespace {

constexpr std::string_view head_file = "matrix.json";

Expected<Json> parse(const std::string& text, const std::string& path) {
  auto json = util::parse_json(text, path);
  if (json && !json->is_object()) return fail(ErrorCode::bad_input, "must be an object at the top level", path);
  return json;
}

std::string name_of(const Table& table) { return fmt::format("{}#{}", table.file, table.list); }

std::string text_in(const Json& object, const char* name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

/// 2026.11.24.2, or the day 2026-11-24; none: it is neither.
Version moment(std::string text) {
  std::replace(text.begin(), text.end(), '-', '.');
  return Version::parse(text).value_or(Version());
}

}  // namespace

const std::vector<std::string>& file_names() {
  static const auto names = [] {
    std::vector<std::string> files{std::string(head_file)};
    for (const auto* table : tables::all()) {
      if (files.back() != table->file) files.emplace_back(table->file);
    }
    return files;
  }();
  return names;
}

Expected<Documents> Documents::read(const std::vector<std::filesystem::path>& layers, LayerKind kind) {
  Documents documents;
  for (const auto& layer : layers) {
    if (auto added = documents.add_folder(layer, kind); !added) return tl::unexpected(added.error());
  }
  return documents;
}

Expected<Documents> Documents::built_in(std::string_view packed) {
  auto text = unpacked_documents(packed);
  if (!text) return tl::unexpected(text.error());
  const std::string name(built_in_name);
  auto all = parse(*text, name);
  if (!all) return tl::unexpected(all.error());
  Documents documents;
  documents.text_bytes_ = text->size();
  documents.layers_.push_back({LayerKind::built_in, name, {}, {}});
  for (auto& [file, json] : all->get_ref<Json::object_t&>()) {
    if (auto added = documents.add_document(file, std::move(json), name + "/" + file); !added)
      return tl::unexpected(added.error());
  }
  return documents;
}

Expected<void> Documents::add_user_layer(const std::filesystem::path& folder) {
  auto added = add_folder(folder, LayerKind::user);
  over_ = Over::replaces;
  return added;
}

Expected<void> Documents::add_files(const std::string& name, const std::map<std::string, Json>& files) {
  layers_.push_back({LayerKind::folder, name, {}, {}});
  for (const auto& [file, json] : files) {
    if (auto added = add_document(file, json, (std::filesystem::path(name) / file).string()); !added) return added;
  }
  return {};
}

Expected<void> Documents::add_folder(const std::filesystem::path& folder, LayerKind kind) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    return fail(ErrorCode::bad_input, "no such folder", folder.string(),
                kind == LayerKind::folder ? std::vector<std::string>{"--matrix takes a folder of matrix files"}
                                          : std::vector<std::string>());
  layers_.push_back({kind, kind == LayerKind::built_in ? std::string(built_in_name) : folder.string(), {}, {}});
  bool any = false;
  for (const auto& file : file_names()) {
    const auto path = folder / file;
    // A link that leads nowhere is there, and is told when it is read.
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) continue;
    any = true;
    // Reading a pipe would wait for a writer.
    if (std::filesystem::is_fifo(path, ignored)) return fail(ErrorCode::bad_input, "not a regular file", path.string());
    if (auto added = add_file(path); !added) return added;
  }
  if (!any)
    return fail(ErrorCode::bad_input, "there is no matrix file in this folder", folder.string(),
                {"a layer contains files such as torch.json or gpus.json"});
  return {};
}

Expected<void> Documents::add_file(const std::filesystem::path& path) {
  auto text = util::read_file(path, largest_file);
  if (!text) return tl::unexpected(text.error());
  text_bytes_ += text->size();
  auto json = parse(*text, path.string());
  if (!json) return tl::unexpected(json.error());
  return add_document(path.filename().string(), std::move(*json), path.string());
}

Expected<void> Documents::add_document(const std::string& file, Json json, const std::string& path) {
  parsed_.push_back(std::move(json));
  const Json& document = parsed_.back();
  if (file == head_file) return add_head(document, path);
  for (const auto& [name, value] : document.items()) {
    if (name == "$schema") {
      schemas_.emplace(file, text_in(document, "$schema"));
      continue;
    }
    if (name == "sources") {
      if (!value.is_object()) return fail(ErrorCode::bad_input, "must be an object", path + "#/sources");
      for (const auto& [id, source] : value.items()) {
        const Row row{&source, fmt::format("{}#/sources/{}", path, util::pointer_step(id)), file};
        const auto [known, fresh] = sources_[file].emplace(id, row);
        if (fresh) source_order_[file].push_back(id);
        if (!fresh && over_ == Over::replaces) known->second = row;
      }
      continue;
    }
    const auto all = tables::all();
    const auto table =
        std::find_if(all.begin(), all.end(), [&, &list = name](const Table* t) { return t->file == file && t->list == list; });
    if (table == all.end()) {
      std::vector<std::string_view> lists;
      for (const auto* t : all) {
        if (t->file == file) lists.push_back(t->list);
      }
      return fail(ErrorCode::bad_input, fmt::format("unknown list {} in {}", in_quotes(name), file),
                  path + "#/" + util::pointer_step(name), did_you_mean(name, lists, 1));
    }
    if (auto added = add_rows(**table, value, path); !added) return added;
  }
  return {};
}

Expected<void> Documents::add_head(const Json& head, const std::string& path) {
  auto& layer = layers_.back();
  layer.revision = text_in(head, "revision");
  layer.read = text_in(head, "read");
  if (layer.kind != LayerKind::user) {
    for (const auto& [name, value] : head.items()) head_[name] = value;
    return {};
  }
  Problems problems;
  const Cell cell(&head, path + "#", problems);
  if (cell.at("schema_version").count_or_zero() != 1) cell.at("schema_version").problem("this envgen reads schema_version 1");
  for (const auto* name : {"revision", "read", "over"}) {
    const auto said = cell.maybe(name);
    const auto text = said.text_or_null();
    if (!text.empty() && !moment(std::string(text)))
      said.problem(fmt::format("{} is neither a revision nor a date", in_quotes(text)));
  }
  if (!problems.empty()) return tl::unexpected(problems.front());
  const auto built_in = text_in(head_, "revision");
  const auto over = text_in(head, "over");
  constexpr int day = 3;  // parts of a version
  if (!over.empty() && over != built_in && moment(built_in).at(day) > moment(layer.read)) over_ = Over::gives_way;
  for (const auto* name : {"revision", "read"}) {
    if (moment(text_in(head, name)) > moment(text_in(head_, name))) head_[name] = head.at(name);
  }
  return {};
}

Expected<void> Documents::add_rows(const Table& kind, const Json& rows, const std::string& path) {
  const auto where_list = fmt::format("{}#/{}", path, kind.list);
  if (!rows.is_array()) return fail(ErrorCode::bad_input, "must be a list", where_list);
  auto& table = rows_[name_of(kind)];
  auto& index = by_key_[name_of(kind)];
  std::map<std::string, std::size_t> here;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto where = fmt::format("{}/{}", where_list, i);
    std::string key;
    for (const auto& field : kind.fields) {
      if (!field.is_key()) continue;
      if (!rows[i].is_object()) return fail(ErrorCode::bad_input, "must be an object", where);
      const auto it = rows[i].find(std::string(field.name));
      if (it == rows[i].end()) return fail(ErrorCode::bad_input, fmt::format("the field '{}' is missing", field.name), where);
      key += it->dump();
      key += ' ';
    }
    if (const auto [first, fresh] = here.emplace(key, i); !fresh)
      return fail(ErrorCode::bad_input,
                  fmt::format("duplicate row: {} is the same {}", fmt::format("{}/{}", where_list, first->second), key), where);
    const Row row{&rows[i], where, std::string(kind.file)};
    const auto [known, fresh] = index.emplace(key, table.size());
    if (fresh) {
      table.push_back(row);
    } else if (over_ == Over::replaces) {
      table[known->second] = row;
    }
  }
  return {};
}

const std::vector<Documents::Row>& Documents::rows(const Table& table) const {
  static const std::vector<Row> none;
  const auto it = rows_.find(name_of(table));
  return it == rows_.end() ? none : it->second;
}

const std::map<std::string, Documents::Row>& Documents::sources(std::string_view file) const {
  static const std::map<std::string, Row> none;
  const auto it = sources_.find(file);
  return it == sources_.end() ? none : it->second;
}

std::string Documents::hash() const {
  util::Sha256 digest;
  for (const auto& [name, rows] : rows_) {
    std::vector<std::string> lines;
    lines.reserve(rows.size());
    for (const auto& row : rows) lines.push_back(nlohmann::json(*row.value).dump(-1, ' ', true));  // sorted members
    std::sort(lines.begin(), lines.end());
    digest.add(name);
    for (const auto& line : lines) digest.add(line);
  }
  return digest.hex();
}

Json Documents::merged(std::string_view file) const {
  if (file == head_file) return head_;
  Json document = Json::object();
  if (const auto schema = schemas_.find(file); schema != schemas_.end()) document["$schema"] = schema->second;
  if (const auto order = source_order_.find(file); order != source_order_.end()) {
    auto& list = document["sources"] = Json::object();
    for (const auto& id : order->second) list[id] = *sources(file).at(id).value;
  }
  for (const auto* table : tables::all()) {
    const auto known = rows_.find(name_of(*table));
    if (table->file != file || known == rows_.end()) continue;
    auto& list = document[std::string(table->list)] = Json::array();
    for (const auto& row : known->second) insert_row(list, *table, *row.value);
  }
  return document;
}

Json Documents::merged() const {
  Json all = Json::object();
  for (const auto& file : file_names()) {
    if (auto document = merged(file); !document.empty()) all[file] = std::move(document);
  }
  return all;
}

}  // namespace envgen::matrix
