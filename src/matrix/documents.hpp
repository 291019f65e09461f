#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "matrix/cell.hpp"
#include "matrix/tables.hpp"

namespace envgen::matrix {

/// The matrix files of all layers, merged: a row of a later layer replaces the row of the same key.
class Documents {
 public:
  struct Row {
    const Json* value;
    std::string where;  ///< file and JSON pointer
    std::string file;   ///< file name without folder: sources belong to it
  };

  /// Reads the known files of each folder, in order. At least one of the folders must hold one.
  /// Errors: a folder that is missing, a file that cannot be read, is larger than 64 MiB, nests deeper than 32 levels,
  /// or is not JSON (line and column are named).
  static Expected<Documents> read(const std::vector<std::filesystem::path>& layers);

  /// The rows of a table, in their key's order of first appearance.
  const std::vector<Row>& rows(const Table& table) const;
  /// `sources` of a file: id -> object.
  const std::map<std::string, Row>& sources(std::string_view file) const;
  /// The members of matrix.json.
  const Json& head() const { return head_; }
  /// SHA-256 over the canonical text of all rows: equal facts give equal hashes, whatever the layers.
  std::string hash() const;
  std::size_t text_bytes() const { return text_bytes_; }

 private:
  Expected<void> add_file(const std::filesystem::path& path);
  Expected<void> add_rows(const Table& kind, const Json& rows, const std::string& path);

  std::deque<Json> parsed_;  // keeps the values that rows point into
  std::map<std::string, std::vector<Row>, std::less<>> rows_;
  std::map<std::string, std::map<std::string, std::size_t>> by_key_;
  std::map<std::string, std::map<std::string, Row>, std::less<>> sources_;
  Json head_ = Json::object();
  std::size_t text_bytes_ = 0;
};

}  // namespace envgen::matrix
