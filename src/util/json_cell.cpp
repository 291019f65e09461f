#include "util/json_cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "util/json_text.hpp"

namespace envgen::util {
namespace {

constexpr std::size_t longest_text = std::size_t{16} << 10;  // tables are as wide as their longest cell

}  // namespace

void JsonCell::problem(std::string message, std::vector<std::string> hints) const {
  problems_->push_back(Error{ErrorCode::bad_input, std::move(message), where_, std::move(hints)});
}

JsonCell JsonCell::maybe(std::string_view field) const {
  const Json* found = nullptr;
  if (value_ != nullptr && value_->is_object()) {
    const auto it = value_->find(std::string(field));
    if (it != value_->end()) found = &*it;
  }
  return {found, where_ + "/" + std::string(field), *problems_};
}

JsonCell JsonCell::at(std::string_view field) const {
  if (value_ != nullptr && !value_->is_object()) {
    problem("must be an object");
    return {nullptr, where_ + "/" + std::string(field), *problems_};
  }
  auto cell = maybe(field);
  if (cell.value_ == nullptr) problem(fmt::format("the field {} is missing", in_quotes(field)));
  return cell;
}

std::vector<JsonCell> JsonCell::items() const {
  std::vector<JsonCell> cells;
  if (is_null()) return cells;
  if (!value_->is_array()) {
    problem("must be a list");
    return cells;
  }
  cells.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) cells.emplace_back(&(*value_)[i], fmt::format("{}/{}", where_, i), *problems_);
  return cells;
}

std::vector<std::pair<std::string, JsonCell>> JsonCell::members() const {
  std::vector<std::pair<std::string, JsonCell>> result;
  if (is_null()) return result;
  if (!value_->is_object()) {
    problem("must be an object");
    return result;
  }
  for (const auto& [name, value] : value_->items())
    result.emplace_back(name, JsonCell(&value, where_ + "/" + pointer_step(name), *problems_));
  return result;
}

std::string_view JsonCell::text() const {
  if (!is_text()) {
    problem("must be a string");
    return {};
  }
  const std::string_view text = value_->get_ref<const std::string&>();
  // A terminal would obey it, wherever the text is shown.
  if (holds_control(text)) problem(fmt::format("{} contains a control character", in_quotes(text)));
  if (text.size() > longest_text) problem(fmt::format("{} is longer than {} KiB", in_quotes(text), longest_text >> 10));
  return text;
}

std::string_view JsonCell::text_or_null() const { return is_null() ? std::string_view() : text(); }

bool JsonCell::flag() const {
  if (value_ != nullptr && value_->is_boolean()) return value_->get<bool>();
  problem("must be true or false");
  return false;
}

double JsonCell::number_or_nan() const {
  if (is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value_->is_number()) return value_->get<double>();
  problem("must be a number");
  return std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t JsonCell::count_or_zero() const {
  if (is_null()) return 0;
  if (value_->is_number_unsigned()) return value_->get<std::uint64_t>();
  problem("must be an integer");
  return 0;
}

std::size_t JsonCell::choice(std::span<const std::string_view> names) const {
  const auto spelled = text();
  const auto found = std::find(names.begin(), names.end(), spelled);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  problem(fmt::format("{} is not one of {}", in_quotes(spelled), fmt::join(names, ", ")));
  return 0;
}

void JsonCell::allow_only(std::span<const std::string_view> fields, std::initializer_list<std::string_view> others) const {
  if (!is_object()) return;
  const auto holds = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const auto& [name, value] : value_->items()) {
    if (holds(fields, name) || holds(others, name)) continue;
    problem(fmt::format("unknown field {}", in_quotes(name)), did_you_mean(name, fields, 1));
  }
}

}  // namespace envgen::util
