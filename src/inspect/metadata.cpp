#include "inspect/metadata.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_name_part(char c) { return is_word(c) || c == '-' || c == '_' || c == '.'; }

bool is_name(std::string_view text) {
  return !text.empty() && is_word(text.front()) && is_word(text.back()) && std::all_of(text.begin(), text.end(), is_name_part);
}

/// What versions of PEP 440 are made of. It may become a part of a path or a URL, so nothing else passes.
bool is_version(std::string_view text) {
  const auto part = [](char c) { return is_name_part(c) || c == '+' || c == '!'; };
  return !text.empty() && is_word(text.front()) && is_word(text.back()) && std::all_of(text.begin(), text.end(), part) &&
         text.find("..") == std::string_view::npos;
}

bool is_clauses(std::string_view text) {
  const auto part = [](char c) { return is_name_part(c) || std::string_view("<>=!~,*+").find(c) != std::string_view::npos; };
  return std::all_of(text.begin(), text.end(), part) &&
         (text.empty() || std::string_view("<>=!~").find(text[0]) != std::string_view::npos);
}

std::string without_spaces(std::string_view text) {
  std::string result(text);
  result.erase(std::remove_if(result.begin(), result.end(), [](char c) { return c == ' ' || c == '\t'; }), result.end());
  return result;
}

}  // namespace

const Requirement* Metadata::requirement(std::string_view wanted) const {
  const auto found =
      std::find_if(requires_dist.begin(), requires_dist.end(), [&](const auto& each) { return each.name == wanted; });
  return found == requires_dist.end() ? nullptr : &*found;
}

std::string normalised_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (is_word(c)) {
      result += c;
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  return lower(result);
}

Expected<Requirement> parse_requirement(std::string_view text, const std::string& origin) {
  const auto unreadable = [&] {
    return fail(ErrorCode::bad_input, fmt::format("{} is not a PEP 508 requirement", in_quotes(text)), origin);
  };
  if (holds_control(text)) return unreadable();
  Requirement result;
  const auto name_end = std::find_if_not(text.begin(), text.end(), is_name_part);
  const auto name = text.substr(0, static_cast<std::size_t>(name_end - text.begin()));
  if (!is_name(name)) return unreadable();
  result.name = normalised_name(name);
  auto rest = without_spaces_around(text.substr(name.size()));
  if (rest.starts_with('[')) {
    const auto end = rest.find(']');
    if (end == std::string_view::npos) return unreadable();
    result.extras = without_spaces(rest.substr(1, end - 1));
    if (!std::all_of(result.extras.begin(), result.extras.end(), [](char c) { return is_name_part(c) || c == ','; }))
      return unreadable();
    rest = without_spaces_around(rest.substr(end + 1));
  }
  // A URL may hold a semicolon; its marker begins after a space.
  const bool has_url = rest.starts_with('@');
  const auto marker = has_url ? rest.find(" ;") : rest.find(';');
  auto version = without_spaces_around(rest.substr(0, marker));
  if (marker != std::string_view::npos) result.marker = without_spaces_around(rest.substr(rest.find(';', marker) + 1));
  if (has_url) {
    result.version = version;
    return result;
  }
  if (version.starts_with('(') && version.ends_with(')')) version = version.substr(1, version.size() - 2);  // as PEP 345 had it
  result.version = without_spaces(version);
  if (!is_clauses(result.version)) return unreadable();
  return result;
}

std::vector<std::string> header_values(std::string_view text, std::string_view field) {
  std::vector<std::string> values;
  bool ours = false;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) break;
    if (line.front() == ' ' || line.front() == '\t') {
      if (ours) values.back().append(" ").append(without_spaces_around(line));
      continue;
    }
    const auto colon = std::min(line.find(':'), line.size());
    ours = lower(line.substr(0, colon)) == lower(field);
    if (ours) values.emplace_back(without_spaces_around(line.substr(std::min(colon + 1, line.size()))));
  }
  return values;
}

Expected<Metadata> parse_metadata(std::string_view text, const std::string& origin) {
  // The first of each: what a second one says, installers do not read.
  const auto first = [&](std::string_view field) {
    auto values = header_values(text, field);
    return values.empty() ? std::string() : std::move(values.front());
  };
  Metadata result;
  result.name = first("Name");
  if (!is_name(result.name))
    return fail(ErrorCode::bad_input,
                fmt::format("the metadata has the name {}, which is not a package name", in_quotes(result.name)), origin);
  result.version = first("Version");
  if (!is_version(result.version))
    return fail(ErrorCode::bad_input,
                fmt::format("the metadata has the version {}, which is not a version", in_quotes(result.version)), origin);
  result.requires_python = without_spaces(first("Requires-Python"));
  if (!is_clauses(result.requires_python))
    return fail(ErrorCode::bad_input,
                fmt::format("the metadata requires Python {}, which is not a version range", in_quotes(result.requires_python)),
                origin);
  for (const auto& line : header_values(text, "Requires-Dist")) {
    auto requirement = parse_requirement(line, origin);
    if (!requirement) return tl::unexpected(requirement.error());
    result.requires_dist.push_back(std::move(*requirement));
  }
  return result;
}

}  // namespace envgen::inspect
