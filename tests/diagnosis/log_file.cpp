#include "log_file.hpp"

#include <algorithm>
#include <optional>

namespace envgen::test {
namespace {

/// What a heading calls the log below it. Anything that begins like a heading must be one.
std::optional<std::string_view> name_in(std::string_view heading) {
  constexpr std::string_view before = "==> ";
  constexpr std::string_view after = " <==";
  if (heading.size() <= before.size() + after.size() || !heading.ends_with(after)) return std::nullopt;
  return heading.substr(before.size(), heading.size() - before.size() - after.size());
}

}  // namespace

Expected<std::vector<Log>> logs_of(std::string_view text, const std::string& id) {
  std::vector<Log> logs;
  const auto refused = [&](std::string_view what) {
    return fail(ErrorCode::bad_input, std::string(what) + " (" + (logs.empty() ? "before any log" : logs.back().name) + ")");
  };
  if (!text.empty() && text.back() != '\n') return fail(ErrorCode::bad_input, "the last line has no end");
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (!line.starts_with("==>")) {
      if (logs.empty()) return refused("the first line is no heading");
      logs.back().text.append(line).append("\n");
      continue;
    }
    if (!logs.empty()) {
      if (!logs.back().text.ends_with("\n\n")) return refused("no empty line and then a heading ends the log");
      logs.back().text.pop_back();
    }
    const auto name = name_in(line);
    if (!name) return refused("the heading after the log is not `==> NAME <==`");
    if (std::any_of(logs.begin(), logs.end(), [&](const Log& log) { return log.name == *name; }))
      return refused("the log after this one has the name of another");
    logs.push_back({id, std::string(*name), {}, {}});
    if (!text.starts_with("# ")) return refused("the first line of the log does not say where it is from: `# ...`");
    const auto source = text.substr(0, text.find('\n'));
    logs.back().source = source;
    text.remove_prefix(source.size() + 1);
  }
  return logs;
}

}  // namespace envgen::test
