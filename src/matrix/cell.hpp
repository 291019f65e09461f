#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/capability.hpp"
#include "model/python_version.hpp"
#include "model/version.hpp"
#include "util/json_cell.hpp"

namespace envgen::matrix {

using Json = nlohmann::ordered_json;
using util::Problems;

/// One value of a matrix file, which may be a version, an architecture or a Python.
class Cell : public util::JsonCell {
 public:
  using JsonCell::JsonCell;
  explicit Cell(JsonCell cell) : JsonCell(std::move(cell)) {}

  // What these hide, as cells of the matrix.
  Cell at(std::string_view field) const { return Cell(JsonCell::at(field)); }
  Cell maybe(std::string_view field) const { return Cell(JsonCell::maybe(field)); }
  std::vector<Cell> items() const;
  std::vector<std::pair<std::string, Cell>> members() const;

  Version version() const;
  Version version_or_null() const;
  Capability capability() const;
  std::vector<Arch> archs() const;  ///< null reads as an empty list
  PythonSet pythons() const;        ///< null reads as the empty set; `any` as every Python
};

}  // namespace envgen::matrix
