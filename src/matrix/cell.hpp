#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/capability.hpp"
#include "model/choices.hpp"
#include "model/error.hpp"
#include "model/python_version.hpp"
#include "model/version.hpp"

namespace envgen::matrix {

using Json = nlohmann::ordered_json;

/// Collects what is wrong with the files; loading goes on so that one run names every problem.
using Problems = std::vector<Error>;

/// One value of a matrix file together with the place where it stands. Each accessor checks the type; a mismatch is
/// added to the problems with file and JSON pointer, and a neutral value comes back.
class Cell {
 public:
  Cell(const Json* value, std::string where, Problems& problems)
      : value_(value), where_(std::move(where)), problems_(&problems) {}

  /// A field that must be there (null is fine).
  Cell at(std::string_view field) const;
  /// A field that may be left out; then it reads as null.
  Cell maybe(std::string_view field) const;
  std::vector<Cell> items() const;
  /// Name and value of each member, in the file's order.
  std::vector<std::pair<std::string, Cell>> members() const;

  /// The value itself; null where there is none.
  Json raw() const { return value_ == nullptr ? Json() : *value_; }
  bool is_null() const { return value_ == nullptr || value_->is_null(); }
  bool is_text() const { return value_ != nullptr && value_->is_string(); }

  std::string_view text() const;          ///< a string
  std::string_view text_or_null() const;  ///< a string, or null: then empty
  bool flag() const;
  double number_or_nan() const;
  std::uint64_t count_or_zero() const;  ///< a whole number, or null: then 0
  Version version() const;
  Version version_or_null() const;
  DriverVersion driver_or_null() const;
  Capability capability() const;
  std::vector<Arch> archs() const;  ///< null reads as an empty list
  PythonSet pythons() const;        ///< null reads as the empty set; `any` as every Python
  /// The index of a text among `names`.
  std::size_t choice(std::span<const std::string_view> names) const;
  std::size_t choice(std::initializer_list<std::string_view> names) const {
    return choice(std::span(names.begin(), names.size()));
  }
  /// The value of an enumeration of choices.hpp.
  template <class E>
  E choice() const {
    return static_cast<E>(choice(std::span<const std::string_view>(Names<E>::names)));
  }

  /// Reports every member that is not one of `fields`.
  void allow_only(std::initializer_list<std::string_view> fields) const;
  /// The same of a row, which has `source` and `field_sources` besides.
  void allow_in_row(std::initializer_list<std::string_view> fields) const;
  void problem(std::string message, std::vector<std::string> hints = {}) const;
  const std::string& where() const { return where_; }

 private:
  void allow(std::initializer_list<std::string_view> fields, bool is_row) const;

  const Json* value_;
  std::string where_;
  Problems* problems_;
};

}  // namespace envgen::matrix
