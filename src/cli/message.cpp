#include "cli/message.hpp"

#include <algorithm>
#include <array>

#include "util/table.hpp"

namespace envgen::cli {
namespace {

bool holds_a_command(std::string_view line) {
  constexpr std::array<std::string_view, 3> beginnings{": envgen ", "  envgen ", "pip install "};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view one) { return line.find(one) != std::string_view::npos; });
}

}  // namespace

std::string message_text(std::string_view message, std::size_t width) {
  constexpr std::size_t below = 2;  // what goes on is indented by this much more
  constexpr std::size_t narrowest = 20;
  std::string text;
  for (std::size_t from = 0; from < message.size();) {
    const auto end = std::min(message.find('\n', from), message.size());
    const auto line = message.substr(from, end - from);
    from = end + 1;
    const auto indent = std::min(line.find_first_not_of(' '), line.size());
    if (width < indent + below + narrowest || line.size() <= width || holds_a_command(line)) {
      text.append(line).append("\n");
      continue;
    }
    for (const auto& part : util::wrap(line.substr(indent), width - indent, below))
      text.append(indent, ' ').append(part).append("\n");
  }
  return text;
}

}  // namespace envgen::cli
