#include "host/machine.hpp"

#include <fmt/format.h>

#include "host/text.hpp"

namespace envgen::host {
namespace {

/// What a shell makes of a value: quotes removed, backslashes resolved.
std::string unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') return std::string(text.substr(1, text.size() - 2));
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    result += text[i];
  }
  return result;
}

bool well_formed(std::string_view value) {
  constexpr std::size_t longest = 40;
  return value.size() <= longest && value.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-") == std::string_view::npos;
}

}  // namespace

Expected<std::string> parse_os_release(std::string_view text) {
  std::string id = "linux";
  std::string version;
  for (const auto raw : lines_of(text)) {
    const auto line = trimmed(raw);
    if (line.starts_with("ID=")) id = unquoted(line.substr(3));
    if (line.starts_with("VERSION_ID=")) version = unquoted(line.substr(11));
  }
  if (id.empty() || !well_formed(id)) return fail(ErrorCode::bad_input, fmt::format("ID '{}' is not well-formed", printable(id)));
  if (!well_formed(version)) {
    return fail(ErrorCode::bad_input, fmt::format("VERSION_ID '{}' is not well-formed", printable(version)));
  }
  return id + version;
}

}  // namespace envgen::host
