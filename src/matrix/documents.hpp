#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/cell.hpp"
#include "matrix/rows.hpp"
#include "matrix/tables.hpp"

namespace envgen::matrix {

/// A longer file is refused.
inline constexpr std::size_t largest_file = std::size_t{64} << 20;

/// The names of the files that facts are read from, matrix.json first.
const std::vector<std::string>& file_names();

/// The matrix files of all layers, merged: a row of a later layer replaces the row of the same key.
class Documents {
 public:
  struct Row {
    const Json* value;
    std::string where;  ///< file and JSON pointer
    std::string file;   ///< file name without folder: sources belong to it
  };
  /// What was read, the lowest first.
  struct Source {
    LayerKind kind = LayerKind::folder;
    std::string name;      ///< `built in`, or the folder
    std::string revision;  ///< as its matrix.json has it; empty: it has none
    std::string read;
  };

  /// Reads the known files of each folder, in order. At least one of the folders must hold one. `kind`: what they are.
  /// Errors: a folder that is missing, a file that cannot be read, is larger than `largest_file`, nests deeper than 32 levels,
  /// or is not JSON (line and column are named).
  static Expected<Documents> read(const std::vector<std::filesystem::path>& layers, LayerKind kind = LayerKind::folder);

  /// Those that the program was built with. `packed`: as `pack_documents` made it (built_in.hpp). Errors: it is damaged.
  static Expected<Documents> built_in(std::string_view packed);

  /// Lays the user's folder over what is there. One whose matrix.json says over which revision of the built-in facts it was made
  /// (`over`) gives way where these are of another one, later than the day it was `read`: its rows that they have too are passed
  /// over. Errors: those of `read`; a matrix.json that says something else than revision and dates.
  Expected<void> add_user_layer(const std::filesystem::path& folder);

  /// Lays files over what is there that are no files yet. `name`: the folder that they are for.
  /// Errors: those of `read` that are about what a file holds.
  Expected<void> add_files(const std::string& name, const std::map<std::string, Json>& files);

  /// The rows of a table, in their key's order of first appearance.
  const std::vector<Row>& rows(const Table& table) const;
  /// `sources` of a file: id -> object.
  const std::map<std::string, Row>& sources(std::string_view file) const;
  /// The members of matrix.json; `revision` and `read` of a user layer count only where they are the later ones.
  const Json& head() const { return head_; }
  const std::vector<Source>& layers() const { return layers_; }
  /// SHA-256 over the canonical text of all rows: equal facts give equal hashes, whatever the layers.
  std::string hash() const;
  std::size_t text_bytes() const { return text_bytes_; }

  /// A file of all layers as one document, in the form of matrix/: rows of later layers stand where their key puts them.
  /// An empty object: no layer has that file.
  Json merged(std::string_view file) const;
  /// All of them: an object whose members are the files.
  Json merged() const;

 private:
  /// Whether a row or a source of the layer that is read takes the place of one that is there.
  enum class Over : std::uint8_t { replaces, gives_way };

  Expected<void> add_folder(const std::filesystem::path& folder, LayerKind kind);
  Expected<void> add_file(const std::filesystem::path& path);
  Expected<void> add_document(const std::string& file, Json json, const std::string& path);
  Expected<void> add_rows(const Table& kind, const Json& rows, const std::string& path);
  Expected<void> add_head(const Json& head, const std::string& path);

  std::deque<Json> parsed_;  // keeps the values that rows point into
  std::map<std::string, std::vector<Row>, std::less<>> rows_;
  std::map<std::string, std::map<std::string, std::size_t>> by_key_;
  std::map<std::string, std::map<std::string, Row>, std::less<>> sources_;
  std::map<std::string, std::vector<std::string>, std::less<>> source_order_;  // as the files have them
  std::map<std::string, std::string, std::less<>> schemas_;                    // `$schema` of each file
  std::vector<Source> layers_;
  Over over_ = Over::replaces;
  Json head_ = Json::object();
  std::size_t text_bytes_ = 0;
};

}  // namespace envgen::matrix
