#include "inspect/version_py.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

/// What stands behind `NAME =` or `NAME: Optional[str] =`, of several such lines in the last one, as Python has it.
std::optional<std::string_view> assigned(std::string_view python, std::string_view name) {
  std::optional<std::string_view> value;
  while (!python.empty()) {
    auto line = python.substr(0, python.find('\n'));
    python.remove_prefix(std::min(line.size() + 1, python.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto behind = line.substr(std::min(name.size(), line.size()));
    if (!line.starts_with(name) || (!behind.starts_with(' ') && !behind.starts_with(':') && !behind.starts_with('='))) continue;
    const auto equals = line.find('=');
    if (equals != std::string_view::npos) value = without_spaces_around(line.substr(equals + 1));
  }
  return value;
}

bool is_end_of_statement(std::string_view text) {
  text = without_spaces_around(text);
  return text.empty() || text.starts_with('#');
}

/// The text of a literal, `'12.8'  # of the build`; none: it is another expression.
std::optional<std::string_view> literal(std::string_view value) {
  if (!value.starts_with('\'') && !value.starts_with('"')) return std::nullopt;
  const auto close = value.find(value.front(), 1);
  if (close == std::string_view::npos || !is_end_of_statement(value.substr(close + 1))) return std::nullopt;
  const auto text = value.substr(1, close - 1);
  return text.find('\\') == std::string_view::npos ? std::optional(text) : std::nullopt;
}

bool is_none(std::string_view value) {
  constexpr std::string_view none = "None";
  return value.starts_with(none) && is_end_of_statement(value.substr(none.size()));
}

}  // namespace

Expected<VersionPy> parse_version_py(std::string_view text, const std::string& path, const std::string& origin) {
  VersionPy result;
  if (const auto value = assigned(text, "__version__")) result.version = literal(*value).value_or(std::string_view());
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> others{{{"hip", "ROCm"}, {"xpu", "XPU"}}};
  for (const auto& [name, accelerator] : others) {
    if (const auto stated = assigned(text, name); stated && !is_none(*stated)) result.accelerator = accelerator;
  }
  const auto value = assigned(text, "cuda");
  if (!value) return result;
  result.cuda = Version();
  if (is_none(*value)) return result;
  const auto stated = literal(*value);
  const auto cuda = stated ? Version::parse(*stated) : fail(ErrorCode::bad_input, {});
  if (!cuda)
    return fail(
        ErrorCode::bad_input,
        fmt::format("{} gives {} as its CUDA, which is not a version", in_quotes(path), in_quotes(stated.value_or(*value))),
        origin);
  result.cuda = *cuda;
  return result;
}

}  // namespace envgen::inspect
