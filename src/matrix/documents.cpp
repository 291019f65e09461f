#include "matrix/documents.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "util/files.hpp"
#include "util/json_text.hpp"
#include "util/sha256.hpp"

namespace envgen::matrix {
namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;
Expected<Json> parse(const std::string& text, const std::string& path) {
  auto json = util::parse_json(text, path);
  if (json && !json->is_object()) return fail(ErrorCode::bad_input, "an object is needed at the top", path);
  return json;
}

std::string name_of(const Table& table) { return fmt::format("{}#{}", table.file, table.list); }

}  // namespace

Expected<Documents> Documents::read(const std::vector<std::filesystem::path>& layers) {
  Documents documents;
  std::vector<std::string> files{"matrix.json"};
  for (const auto* table : tables::all()) {
    if (files.back() != table->file) files.emplace_back(table->file);
  }
  for (const auto& layer : layers) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(layer, ignored))
      return fail(ErrorCode::bad_input, "no such folder", layer.string(), {"--matrix takes a folder of matrix files"});
    bool any = false;
    for (const auto& file : files) {
      const auto path = layer / file;
      if (!std::filesystem::exists(path, ignored)) continue;
      any = true;
      if (auto added = documents.add_file(path); !added) return tl::unexpected(added.error());
    }
    if (!any)
      return fail(ErrorCode::bad_input, "no matrix file is in this folder", layer.string(),
                  {"a layer holds files such as torch.json or gpus.json"});
  }
  return documents;
}

Expected<void> Documents::add_file(const std::filesystem::path& path) {
  auto text = util::read_file(path, largest_file);
  if (!text) return tl::unexpected(text.error());
  text_bytes_ += text->size();
  auto json = parse(*text, path.string());
  if (!json) return tl::unexpected(json.error());
  const auto file = path.filename().string();
  parsed_.push_back(std::move(*json));
  const Json& document = parsed_.back();
  if (file == "matrix.json") {
    for (const auto& [name, value] : document.items()) head_[name] = value;
    return {};
  }
  for (const auto& [name, value] : document.items()) {
    if (name == "$schema") continue;
    if (name == "sources") {
      if (!value.is_object()) return fail(ErrorCode::bad_input, "an object is needed here", path.string() + "#/sources");
      for (const auto& [id, source] : value.items())
        sources_[file][id] = Row{&source, fmt::format("{}#/sources/{}", path.string(), util::pointer_step(id)), file};
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
      return fail(ErrorCode::bad_input, fmt::format("the list {} is not known in {}", in_quotes(name), file),
                  path.string() + "#/" + util::pointer_step(name), did_you_mean(name, lists, 1));
    }
    if (auto added = add_rows(**table, value, path.string()); !added) return added;
  }
  return {};
}

Expected<void> Documents::add_rows(const Table& kind, const Json& rows, const std::string& path) {
  const auto where_list = fmt::format("{}#/{}", path, kind.list);
  if (!rows.is_array()) return fail(ErrorCode::bad_input, "a list is needed here", where_list);
  auto& table = rows_[name_of(kind)];
  auto& index = by_key_[name_of(kind)];
  std::map<std::string, std::size_t> here;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto where = fmt::format("{}/{}", where_list, i);
    std::string key;
    for (const auto& field : kind.fields) {
      if (!field.is_key()) continue;
      if (!rows[i].is_object()) return fail(ErrorCode::bad_input, "an object is needed here", where);
      const auto it = rows[i].find(std::string(field.name));
      if (it == rows[i].end()) return fail(ErrorCode::bad_input, fmt::format("the field '{}' is missing", field.name), where);
      key += it->dump();
      key += ' ';
    }
    if (const auto [first, fresh] = here.emplace(key, i); !fresh)
      return fail(ErrorCode::bad_input,
                  fmt::format("the row stands twice: {} is the same {}", fmt::format("{}/{}", where_list, first->second), key),
                  where);
    const Row row{&rows[i], where, std::string(kind.file)};
    const auto [known, fresh] = index.emplace(key, table.size());
    if (fresh) {
      table.push_back(row);
    } else {
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

}  // namespace envgen::matrix
