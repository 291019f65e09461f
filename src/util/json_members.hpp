#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

/// Members of JSON that others wrote: one that is missing, or of another type, is empty.
namespace envgen::util {

/// null: there is none, or `object` is no object.
inline const nlohmann::ordered_json* member(const nlohmann::ordered_json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(std::string(name));
  return found == object.end() ? nullptr : &*found;
}

inline std::optional<std::string> text_member(const nlohmann::ordered_json& object, std::string_view name) {
  const auto* found = member(object, name);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

inline std::optional<long long> number_member(const nlohmann::ordered_json& object, std::string_view name) {
  const auto* found = member(object, name);
  if (found == nullptr || !found->is_number_integer()) return std::nullopt;
  return found->get<long long>();
}

inline std::optional<double> real_member(const nlohmann::ordered_json& object, std::string_view name) {
  const auto* found = member(object, name);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

inline std::optional<bool> flag_member(const nlohmann::ordered_json& object, std::string_view name) {
  const auto* found = member(object, name);
  if (found == nullptr || !found->is_boolean()) return std::nullopt;
  return found->get<bool>();
}

/// The texts of an array; other elements are left out.
inline std::vector<std::string> texts_member(const nlohmann::ordered_json& object, std::string_view name) {
  std::vector<std::string> texts;
  const auto* found = member(object, name);
  if (found == nullptr || !found->is_array()) return texts;
  for (const auto& element : *found) {
    if (element.is_string()) texts.push_back(element.get<std::string>());
  }
  return texts;
}

}  // namespace envgen::util
