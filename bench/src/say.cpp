#include "say.hpp"

#include <algorithm>

namespace envgen::bench {

bool say(std::string_view text, std::FILE* to, Notation notation) {
  const auto shown = printable(text, notation);
  return std::fwrite(shown.data(), 1, shown.size(), to) == shown.size() && std::fflush(to) == 0;
}

void complain(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  say("envgen-bench: " + text + "\n", stderr);
}

}  // namespace envgen::bench
