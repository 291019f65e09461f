#include "validate/bench_time.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace envgen::validate {

std::vector<std::string> bench_time(std::chrono::seconds whole, std::chrono::seconds left, Profile profile) {
  // For the start of the container, and a process that the kernel does not let go of at once.
  constexpr double longest_start = 15;
  constexpr double smoke_test = 60;  // all tests of a healthy machine take half of that
  constexpr double full_test = 120;
  const auto of = [](std::chrono::seconds seconds) { return static_cast<double>(seconds.count()); };
  const double start = std::min(longest_start, of(whole) / 4);
  // Less where the engine took its time before; the second it took to answer changes nothing.
  const double total = std::min(of(whole) - start, of(left) - std::min(start / 2, of(left) / 4));
  const double one = std::min(profile == Profile::full ? full_test : smoke_test, total / 2);
  return {fmt::format("--timeout={:g}", one), fmt::format("--total-timeout={:g}", total)};
}

}  // namespace envgen::validate
