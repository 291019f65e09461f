#pragma once

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/error.hpp"

namespace envgen::test {

/// The error as one text: `code | origin | message | hint; hint`.
inline std::string text_of(const Error& error) {
  const auto code = error.code == ErrorCode::bad_input ? "bad_input" : error.code == ErrorCode::differs ? "differs" : "other";
  return fmt::format("{} | {} | {} | {}", code, error.origin, error.message, fmt::join(error.hints, "; "));
}

}  // namespace envgen::test
