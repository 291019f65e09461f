#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "model/error.hpp"

namespace envgen::util {

/// How a JSON text is read.
struct JsonRules {
  int deepest = 32;                ///< levels of nesting
  bool commented = false;          ///< `//` and `/* */` are skipped, and so is a comma after the last member
  std::string_view what = "file";  ///< what the text is, for messages
};

/// Reads one JSON document from outside, strictly: a name that stands twice in an object is refused (readers differ in which
/// one they take), and so is whatever nests deeper than `deepest`. Members keep their order.
/// Errors (bad_input): syntax with line and column (from 1), the others with the JSON pointer; `file` stands before both.
Expected<nlohmann::ordered_json> parse_json(const std::string& text, const std::string& file, const JsonRules& rules = {});

/// One step of a JSON pointer (RFC 6901), fit for a message: `~` and `/` escaped, control characters made visible.
std::string pointer_step(std::string_view name);

}  // namespace envgen::util
