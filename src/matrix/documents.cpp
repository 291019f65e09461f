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

std::string name_of_list(std::string_view file, std::string_view list) { return fmt::format("{}#{}", file, list); }

}  // namespace

const std::vector<TableKey>& table_keys() {
  static const std::vector<TableKey> keys{
      {"torch.json", "releases", {"version"}},
      {"torch.json", "builds", {"torch", "tag", "platform"}},
      {"torch.json", "torchvision", {"version", "platform"}},
      {"torch.json", "torchaudio", {"version", "platform"}},
      {"conda.json", "builds", {"torch", "channel", "cuda", "platform"}},
      {"conda.json", "labels", {"label"}},
      {"cuda.json", "toolkits", {"version"}},
      {"cuda.json", "minors", {"cuda"}},
      {"cuda.json", "majors", {"cuda"}},
      {"cudnn.json", "releases", {"version"}},
      {"drivers.json", "branches", {"branch"}},
      {"drivers.json", "gpu_drivers", {"capability"}},
      {"drivers.json", "forward_compat", {"cuda", "branch"}},
      {"gpus.json", "gpus", {"name"}},
      {"gpus.json", "families", {"name"}},
      {"gpus.json", "ambiguous", {"name"}},
      {"images.json", "cuda", {"tag"}},
      {"images.json", "gates", {"id"}},
      {"images.json", "pytorch", {"tag"}},
      {"tensorflow.json", "releases", {"version"}},
      {"os.json", "os", {"id"}},
      {"os.json", "pythons", {"version"}},
      {"pitfalls.json", "rules", {"id"}},
      {"presets.json", "presets", {"name"}},
      {"mirrors.json", "mirrors", {"name"}},
  };
  return keys;
}

Expected<Documents> Documents::read(const std::vector<std::filesystem::path>& layers) {
  Documents documents;
  std::vector<std::string> files{"matrix.json"};
  for (const auto& table : table_keys()) {
    if (std::find(files.begin(), files.end(), table.file) == files.end()) files.emplace_back(table.file);
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
    const auto& tables = table_keys();
    const auto table = std::find_if(tables.begin(), tables.end(),
                                    [&, &list = name](const TableKey& t) { return t.file == file && t.list == list; });
    if (table == tables.end()) {
      std::vector<std::string_view> lists;
      for (const auto& t : tables) {
        if (t.file == file) lists.push_back(t.list);
      }
      return fail(ErrorCode::bad_input, fmt::format("the list {} is not known in {}", in_quotes(name), file),
                  path.string() + "#/" + util::pointer_step(name), did_you_mean(name, lists, 1));
    }
    if (auto added = add_rows(file, name, value, path.string(), table->keys); !added) return added;
  }
  return {};
}

Expected<void> Documents::add_rows(const std::string& file, const std::string& list, const Json& rows, const std::string& path,
                                   const std::vector<std::string>& keys) {
  const auto where_list = fmt::format("{}#/{}", path, list);
  if (!rows.is_array()) return fail(ErrorCode::bad_input, "a list is needed here", where_list);
  auto& table = rows_[name_of_list(file, list)];
  auto& index = by_key_[name_of_list(file, list)];
  std::map<std::string, std::size_t> here;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto where = fmt::format("{}/{}", where_list, i);
    std::string key;
    for (const auto& field : keys) {
      if (!rows[i].is_object()) return fail(ErrorCode::bad_input, "an object is needed here", where);
      const auto it = rows[i].find(field);
      if (it == rows[i].end()) return fail(ErrorCode::bad_input, fmt::format("the field '{}' is missing", field), where);
      key += it->dump();
      key += ' ';
    }
    if (const auto [first, fresh] = here.emplace(key, i); !fresh)
      return fail(ErrorCode::bad_input,
                  fmt::format("the row stands twice: {} is the same {}", fmt::format("{}/{}", where_list, first->second), key),
                  where);
    const Row row{&rows[i], where, file};
    const auto [known, fresh] = index.emplace(key, table.size());
    if (fresh) {
      table.push_back(row);
    } else {
      table[known->second] = row;
    }
  }
  return {};
}

const std::vector<Documents::Row>& Documents::rows(std::string_view file, std::string_view list) const {
  static const std::vector<Row> none;
  const auto it = rows_.find(name_of_list(file, list));
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
