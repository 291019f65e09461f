#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/choices.hpp"
#include "model/spelled.hpp"
#include "model/spelling.hpp"
#include "util/json_cell.hpp"
#include "util/json_writer.hpp"

/// A struct that names its members once, by `template <class Self, class Visit> static void members(Self&, Visit&)`, is written
/// as JSON, read back, and taken apart without another list. `visit(name, member)` is a member that is always there;
/// `visit.late`, one that an older envgen did not write; `visit.sparse`, one that is left out where there is none.
/// A member is a text, a flag, an int, an enumeration of choices.hpp, a value with a spelling (a version), names with texts, such
/// a struct, an optional or a list of these.
namespace envgen::util {

struct AnyVisit {
  template <class T>
  void operator()(std::string_view, T&&) {}
  template <class T>
  void late(std::string_view, T&&) {}
  template <class T>
  void sparse(std::string_view, T&&) {}
};
template <class T>
concept Described = requires(const T& object, AnyVisit& visit) {
  T::members(object, visit);
};

using NamedTexts = std::vector<std::pair<std::string, std::string>>;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = !std::is_same_v<std::vector<T>, NamedTexts>;

template <class T>
bool is_there(const T& member) {
  if constexpr (is_optional<T>) {
    return member.has_value();
  } else {
    return !member.empty();
  }
}

/// What is the same for all that takes a const object apart: `take(name, member)` for each that is to be taken.
template <class Take>
struct Taking {
  Take take;
  template <class T>
  void operator()(std::string_view name, const T& member) {
    take(name, member);
  }
  template <class T>
  void late(std::string_view name, const T& member) {
    take(name, member);
  }
  template <class T>
  void sparse(std::string_view name, const T& member) {
    if (is_there(member)) take(name, member);
  }
};
template <class Take>
Taking(Take) -> Taking<Take>;

template <class T>
void write_json(JsonWriter& json, const T& value);
/// Writes members into the object that is open.
inline auto into(JsonWriter& json) {
  return Taking{[&json](std::string_view name, const auto& member) { write_json(json.key(name), member); }};
}
/// Writes a value as JSON.
template <class T>
void write_json(JsonWriter& json, const T& value) {
  if constexpr (Described<T>) {
    json.begin_object();
    auto visit = into(json);
    T::members(value, visit);
    json.end_object();
  } else if constexpr (std::is_same_v<T, NamedTexts>) {
    json.begin_object();
    for (const auto& [name, text] : value) json.member(name, text);
    json.end_object();
  } else if constexpr (is_optional<T>) {
    if (value) {
      write_json(json, *value);
    } else {
      json.null();
    }
  } else if constexpr (is_list<T>) {
    json.begin_array();
    for (const auto& item : value) write_json(json, item);
    json.end_array();
  } else if constexpr (std::is_enum_v<T>) {
    json.value(name_of(value));
  } else if constexpr (Spelled<T>) {
    json.value(value.to_string());
  } else {
    json.value(value);
  }
}

template <class T>
nlohmann::json tree_of(const T& value);
inline auto into(nlohmann::json& object) {
  return Taking{[&object](std::string_view name, const auto& member) { object[std::string(name)] = tree_of(member); }};
}
/// The same as a tree, its members sorted: what a hash is made of.
template <class T>
nlohmann::json tree_of(const T& value) {
  if constexpr (Described<T>) {
    auto tree = nlohmann::json::object();
    auto visit = into(tree);
    T::members(value, visit);
    return tree;
  } else if constexpr (std::is_same_v<T, NamedTexts>) {
    auto tree = nlohmann::json::object();
    for (const auto& [name, text] : value) tree[name] = text;
    return tree;
  } else if constexpr (is_optional<T>) {
    return value ? tree_of(*value) : nlohmann::json();
  } else if constexpr (is_list<T>) {
    auto tree = nlohmann::json::array();
    for (const auto& item : value) tree.push_back(tree_of(item));
    return tree;
  } else if constexpr (std::is_enum_v<T>) {
    return name_of(value);
  } else if constexpr (Spelled<T>) {
    return value.to_string();
  } else {
    return value;
  }
}

/// Reads it back. What is wrong goes where the cell's problems go; members that are not named are left alone: additions are free.
template <class T>
void read_json(const JsonCell& cell, T& value);

struct Reading {
  const JsonCell& cell;
  template <class T>
  void operator()(std::string_view name, T& member) {
    read_json(cell.at(name), member);
  }
  template <class T>
  void late(std::string_view name, T& member) {
    if (const auto found = cell.maybe(name); !found.is_missing()) read_json(found, member);
  }
  template <class T>
  void sparse(std::string_view name, T& member) {
    if (const auto found = cell.maybe(name); !found.is_null()) read_json(found, member);
  }
};

template <class T>
void read_json(const JsonCell& cell, T& value) {
  if constexpr (Described<T>) {
    Reading visit{cell};
    T::members(value, visit);
  } else if constexpr (std::is_same_v<T, NamedTexts>) {
    if (cell.is_null()) cell.problem("must be an object");
    for (const auto& [name, text] : cell.members()) {
      // A name is no cell, so nobody looked at it yet: what it is made of could end a line in some output.
      if (holds_control(name)) cell.problem(fmt::format("{} contains a control character", in_quotes(name)));
      value.emplace_back(name, text.text());
    }
  } else if constexpr (is_optional<T>) {
    if (cell.is_null()) return;
    value = typename T::value_type();
    read_json(cell, *value);
  } else if constexpr (is_list<T>) {
    if (cell.is_null()) cell.problem("must be a list");
    for (const auto& item : cell.items()) read_json(item, value.emplace_back());
  } else if constexpr (std::is_enum_v<T>) {
    value = cell.choice<T>();
  } else if constexpr (Spelled<T>) {
    const auto text = cell.text();
    if (const auto parsed = T::parse(text)) {
      value = *parsed;
    } else {
      cell.problem(fmt::format("{} is {}", in_quotes(text), parsed.error().message));
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    value = cell.flag();
  } else if constexpr (std::is_same_v<T, int>) {
    const auto count = cell.count_or_zero();
    if (count > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) cell.problem("the number is too large");
    value = static_cast<int>(std::min<std::uint64_t>(count, std::numeric_limits<int>::max()));
  } else {
    value = cell.text();
  }
}

}  // namespace envgen::util
