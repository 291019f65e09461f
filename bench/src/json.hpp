#pragma once

#include <optional>

#include <nlohmann/json.hpp>

namespace envgen::bench {

/// Members stay in the order in which a person reads them.
using Json = nlohmann::ordered_json;

/// What is not known is null.
template <class Value>
Json json_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace envgen::bench
