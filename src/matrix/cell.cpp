#include "matrix/cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "util/json_text.hpp"

namespace envgen::matrix {
namespace {

constexpr std::size_t longest_text = std::size_t{16} << 10;  // tables are as wide as their longest cell

}  // namespace

void Cell::problem(std::string message, std::vector<std::string> hints) const {
  problems_->push_back(Error{ErrorCode::bad_input, std::move(message), where_, std::move(hints)});
}

Cell Cell::maybe(std::string_view field) const {
  const Json* found = nullptr;
  if (value_ != nullptr && value_->is_object()) {
    const auto it = value_->find(std::string(field));
    if (it != value_->end()) found = &*it;
  }
  return {found, where_ + "/" + std::string(field), *problems_};
}

Cell Cell::at(std::string_view field) const {
  if (value_ != nullptr && !value_->is_object()) {
    problem("an object is needed here");
    return {nullptr, where_ + "/" + std::string(field), *problems_};
  }
  auto cell = maybe(field);
  if (cell.value_ == nullptr) problem(fmt::format("the field {} is missing", in_quotes(field)));
  return cell;
}

std::vector<Cell> Cell::items() const {
  std::vector<Cell> cells;
  if (is_null()) return cells;
  if (!value_->is_array()) {
    problem("a list is needed here");
    return cells;
  }
  cells.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) cells.emplace_back(&(*value_)[i], fmt::format("{}/{}", where_, i), *problems_);
  return cells;
}

std::vector<std::pair<std::string, Cell>> Cell::members() const {
  std::vector<std::pair<std::string, Cell>> result;
  if (is_null()) return result;
  if (!value_->is_object()) {
    problem("an object is needed here");
    return result;
  }
  for (const auto& [name, value] : value_->items())
    result.emplace_back(name, Cell(&value, where_ + "/" + util::pointer_step(name), *problems_));
  return result;
}

std::string_view Cell::text() const {
  if (!is_text()) {
    problem("a text is needed here");
    return {};
  }
  const std::string_view text = value_->get_ref<const std::string&>();
  // A terminal would obey it, wherever the text is shown.
  if (holds_control(text)) problem(fmt::format("{} holds a control character", in_quotes(text)));
  if (text.size() > longest_text) problem(fmt::format("{} is longer than {} KiB", in_quotes(text), longest_text >> 10));
  return text;
}

std::string_view Cell::text_or_null() const { return is_null() ? std::string_view() : text(); }

bool Cell::flag() const {
  if (value_ != nullptr && value_->is_boolean()) return value_->get<bool>();
  problem("true or false is needed here");
  return false;
}

double Cell::number_or_nan() const {
  if (is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value_->is_number()) return value_->get<double>();
  problem("a number is needed here");
  return std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t Cell::count_or_zero() const {
  if (is_null()) return 0;
  if (value_->is_number_unsigned()) return value_->get<std::uint64_t>();
  problem("a whole number is needed here");
  return 0;
}

Version Cell::version() const {
  const auto spelled = text();
  if (spelled.empty()) return {};
  auto parsed = Version::parse(spelled);
  if (parsed) return *parsed;
  problem(fmt::format("{} is {}", in_quotes(spelled), parsed.error().message));
  return {};
}

Version Cell::version_or_null() const { return is_null() ? Version() : version(); }

DriverVersion Cell::driver_or_null() const { return DriverVersion(version_or_null()); }

Capability Cell::capability() const {
  const auto spelled = text();
  auto parsed = Capability::parse(spelled);
  if (parsed) return *parsed;
  problem(fmt::format("{} is {}", in_quotes(spelled), parsed.error().message));
  return {};
}

std::vector<Arch> Cell::archs() const {
  std::vector<Arch> result;
  for (const auto& item : items()) {
    auto parsed = Arch::parse(item.text());
    if (parsed) {
      result.push_back(*parsed);
    } else {
      item.problem(fmt::format("{} is {}", in_quotes(item.text()), parsed.error().message));
    }
  }
  return result;
}

PythonSet Cell::pythons() const {
  PythonSet set;
  for (const auto& item : items()) {
    const auto spelled = item.text();
    if (spelled == "any") return PythonSet::all();
    auto parsed = PythonVersion::parse(spelled);
    if (parsed) {
      set.add(*parsed);
    } else {
      item.problem(fmt::format("{} is {}", in_quotes(spelled), parsed.error().message));
    }
  }
  return set;
}

std::size_t Cell::choice(std::span<const std::string_view> names) const {
  const auto spelled = text();
  const auto found = std::find(names.begin(), names.end(), spelled);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  problem(fmt::format("{} is not one of {}", in_quotes(spelled), fmt::join(names, ", ")));
  return 0;
}

void Cell::allow_only(std::initializer_list<std::string_view> fields) const { allow(fields, false); }
void Cell::allow_in_row(std::initializer_list<std::string_view> fields) const { allow(fields, true); }

void Cell::allow(std::initializer_list<std::string_view> fields, bool is_row) const {
  if (value_ == nullptr || !value_->is_object()) return;
  for (const auto& [name, value] : value_->items()) {
    if (is_row && (name == "source" || name == "field_sources")) continue;
    if (std::find(fields.begin(), fields.end(), name) != fields.end()) continue;
    std::vector<std::string> hints;
    for (const auto& near : nearest_spellings(name, {fields.begin(), fields.size()}, 1))
      hints.push_back("did you mean " + near + "?");
    problem(fmt::format("the field {} is not known", in_quotes(name)), std::move(hints));
  }
}

}  // namespace envgen::matrix
