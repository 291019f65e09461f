#include "log_file.hpp"

#include <algorithm>
#include <optional>

namespace envgen::test {
namespace {

/// What a heading calls the log below it. Anything that begins like a heading must be one.
std::optional<std::string_view> name_in(std::string_view heading) {
  constexpr std::string_view before = "==> ";
  constexpr std::string_view after = " <==";
  if (!heading.starts_with(before) || !heading.ends_with(after) || heading.size() <= before.size() + after.size())
    return std::nullopt;
  return heading.substr(before.size(), heading.size() - before.size() - after.size());
}

}  // namespace

Expected<std::vector<Log>> logs_of(std::string_view text, const std::string& id) {
  std::vector<Log> logs;
  const auto refused = [](std::string_view what, std::string_view where) {
    return fail(ErrorCode::bad_input, std::string(what) + ": " + std::string(where));
  };
  if (!text.empty() && text.back() != '\n') return fail(ErrorCode::bad_input, "the last line has no end");
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    const bool heading = line.starts_with("==>");
    if (logs.empty() && !heading) return refused("the first line must be a heading `==> NAME <==`", line);
    if (!heading) {
      logs.back().text.append(line).append("\n");
      continue;
    }
    if (!logs.empty()) {
      if (!logs.back().text.ends_with("\n\n")) return refused("an empty line must stand before the heading", line);
      logs.back().text.pop_back();
    }
    const auto name = name_in(line);
    if (!name) return refused("a heading must be `==> NAME <==`", line);
    if (std::any_of(logs.begin(), logs.end(), [&](const Log& log) { return log.name == *name; }))
      return refused("two logs have one name", *name);
    const auto source = text.substr(0, text.find('\n'));
    if (!source.starts_with("# ")) return refused("the line below a heading must say where the log is from, `# ...`", *name);
    logs.push_back({id, std::string(*name), std::string(source), {}});
    text.remove_prefix(source.size() + 1);
  }
  return logs;
}

}  // namespace envgen::test
