#pragma once

#include <string>
#include <string_view>

/// What a CI system would obey in a log, by other means than the code that keeps it out.
namespace envgen::test {

/// The first line that is a command, as GitHub's runner (ActionCommand.cs: `::` behind white space, `##[` anywhere) and Azure's
/// agent (Command.cs: `##vso[` anywhere) look for them; empty: there is none.
inline std::string command_in(const std::string& log) {
  const auto is_command = [](std::string line) {
    if (line.find("##[") != line.npos || line.find("##vso[") != line.npos) return true;
    for (bool trimmed = true; trimmed;) {
      trimmed = false;
      for (const std::string_view space :
           {" ", "\t", "\v", "\f", "\xc2\x85", "\xc2\xa0", "\xe1\x9a\x80", "\xe2\x80\x83", "\xe2\x80\xa8", "\xe3\x80\x80"}) {
        if (!line.starts_with(space)) continue;
        line.erase(0, space.size());
        trimmed = true;
      }
    }
    return line.starts_with("::");
  };
  std::string line;
  for (const char c : log + "\n") {
    if (c != '\n' && c != '\r') {
      line += c;
      continue;
    }
    if (is_command(line)) return line;
    line.clear();
  }
  return {};
}

}  // namespace envgen::test
