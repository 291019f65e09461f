#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "model/error.hpp"

namespace envgen {

/// A value that has a spelling: a version, a capability, a Python. Messages and JSON take it as it is.
template <class T>
concept Spelled = requires(const T& value, std::string_view text) {
  { value.to_string() } -> std::same_as<std::string>;
  { T::parse(text) } -> std::same_as<Expected<T>>;
};

template <Spelled T>
std::string spelling_or(const std::optional<T>& value, std::string_view none) {
  return value ? value->to_string() : std::string(none);
}

}  // namespace envgen

template <envgen::Spelled T>
struct fmt::formatter<T> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const T& value, Context& context) const {
    return fmt::formatter<std::string_view>::format(value.to_string(), context);
  }
};
