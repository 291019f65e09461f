#include "cli/progress.hpp"

#include <unistd.h>
#include <algorithm>

#include <fmt/format.h>

#include "cli/context.hpp"

namespace envgen::cli {

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(std::string_view what, std::size_t done, std::size_t all) {
  if (!terminal_) {
    if (last_ != what) print(fmt::format("{}\n", what), stderr);
    last_ = what;
    return;
  }
  constexpr std::size_t width = 20;
  const auto filled = all == 0 ? 0 : std::min(width, done * width / all);
  const auto line =
      fmt::format("\r[{}{}] {}/{} {}\x1b[K", std::string(filled, '='), std::string(width - filled, ' '), done, all, what);
  print_as_it_is(line, stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) print_as_it_is("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace envgen::cli
