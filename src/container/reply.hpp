#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "model/error.hpp"

namespace envgen::container {

/// The most that is read of what an engine answers, in bytes.
inline constexpr std::size_t largest_reply = std::size_t{8} << 20;

/// The JSON that an engine answered to `command`; of an array of one, that one. Errors (missing): it cannot be read, in one
/// message that names the command.
Expected<nlohmann::ordered_json> read_reply(const std::string& text, std::string_view command);

}  // namespace envgen::container
