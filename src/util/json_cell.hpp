#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/choices.hpp"
#include "model/error.hpp"

namespace envgen::util {

/// Collects what is wrong with the files; reading goes on so that one run names every problem.
using Problems = std::vector<Error>;

/// One value of a data file together with the place where it stands. Each accessor checks the type; a mismatch is added to the
/// problems with file and JSON pointer, and a neutral value comes back.
class JsonCell {
 public:
  using Json = nlohmann::ordered_json;

  JsonCell(const Json* value, std::string where, Problems& problems)
      : value_(value), where_(std::move(where)), problems_(&problems) {}

  /// A field that must be there (null is fine).
  JsonCell at(std::string_view field) const;
  /// A field that may be left out; then it reads as null.
  JsonCell maybe(std::string_view field) const;
  std::vector<JsonCell> items() const;
  /// Name and value of each member, in the file's order.
  std::vector<std::pair<std::string, JsonCell>> members() const;

  /// The value itself; null where there is none.
  Json raw() const { return value_ == nullptr ? Json() : *value_; }
  bool is_missing() const { return value_ == nullptr; }
  bool is_null() const { return value_ == nullptr || value_->is_null(); }
  bool is_text() const { return value_ != nullptr && value_->is_string(); }
  bool is_list() const { return value_ != nullptr && value_->is_array(); }
  bool is_object() const { return value_ != nullptr && value_->is_object(); }

  std::string_view text() const;          ///< a string
  std::string_view text_or_null() const;  ///< a string, or null: then empty
  bool flag() const;
  double number_or_nan() const;
  std::uint64_t count_or_zero() const;  ///< a whole number, or null: then 0
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

  /// Reports every member that is neither one of `fields` nor of `others`; what it may be a slip of is one of `fields`.
  void allow_only(std::span<const std::string_view> fields, std::initializer_list<std::string_view> others = {}) const;
  void allow_only(std::initializer_list<std::string_view> fields, std::initializer_list<std::string_view> others = {}) const {
    allow_only(std::span(fields.begin(), fields.size()), others);
  }
  void problem(std::string message, std::vector<std::string> hints = {}) const;
  const std::string& where() const { return where_; }

 private:
  const Json* value_;
  std::string where_;
  Problems* problems_;
};

}  // namespace envgen::util
