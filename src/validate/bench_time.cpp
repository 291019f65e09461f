#include "validate/bench_time.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace envgen::validate {

std::vector<std::string> bench_time(std::chrono::seconds container, Profile profile) {
  // For the start of the container, and a process that the kernel does not let go of at once.
  constexpr double longest_start = 15;
  constexpr double smoke_test = 60;  // all tests of a healthy machine take half of that
  constexpr double full_test = 120;
  const auto whole = static_cast<double>(container.count());
  const double total = whole - std::min(longest_start, whole / 4);
  const double one = std::min(profile == Profile::full ? full_test : smoke_test, total / 2);
  return {fmt::format("--timeout={:g}", one), fmt::format("--total-timeout={:g}", total)};
}

}  // namespace envgen::validate
