#include "matrix/row_order.hpp"

#include <algorithm>
#include <compare>
#include <string>

namespace envgen::matrix {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The digits that `text` begins with, without zeros before them, and are taken from it.
std::string_view take_number(std::string_view& text) {
  const auto end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  auto digits = text.substr(0, end);
  text.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

std::strong_ordering by_numbers(std::string_view a, std::string_view b) {
  const auto whole = a <=> b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto x = take_number(a);
      const auto y = take_number(b);
      if (const auto order = x.size() <=> y.size(); order != 0) return order;
      if (const auto order = x <=> y; order != 0) return order;
      continue;
    }
    if (is_digit(a.front()) != is_digit(b.front()))
      return is_digit(b.front()) ? std::strong_ordering::less : std::strong_ordering::greater;
    if (const auto order = a.front() <=> b.front(); order != 0) return order;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() != b.empty()) return a.empty() ? std::strong_ordering::less : std::strong_ordering::greater;
  return whole;  // 6.0 and 6.00
}

/// Names that people gave: a number in one is no count of anything.
bool is_name(const Field& field) { return field.form.name == "text" || field.form.name == "id" || field.form.name == "rule"; }

std::strong_ordering order_of(const Field& field, const Json& a, const Json& b) {
  const std::string name(field.name);
  const auto text_of = [&](const Json& row) {
    const auto it = row.find(name);
    return it != row.end() && it->is_string() ? std::string_view(it->get_ref<const std::string&>()) : std::string_view();
  };
  return is_name(field) ? text_of(a) <=> text_of(b) : by_numbers(text_of(a), text_of(b));
}

}  // namespace

bool stands_before(const Table& table, const Json& a, const Json& b) {
  for (const auto& field : table.fields) {
    if (!field.is_key()) continue;
    if (const auto order = order_of(field, a, b); order != 0) return order < 0;
  }
  return false;
}

void insert_row(Json& list, const Table& table, Json row) {
  const auto place =
      std::lower_bound(list.begin(), list.end(), row, [&](const Json& a, const Json& b) { return stands_before(table, a, b); });
  if (place != list.end() && !stands_before(table, row, *place)) {
    *place = std::move(row);
  } else {
    list.insert(place, std::move(row));
  }
}

}  // namespace envgen::matrix
