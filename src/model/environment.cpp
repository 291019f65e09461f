#include "model/environment.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/version.hpp"

namespace envgen {

std::string Environment::DriverRange::to_string() const {
  if (!minimum) return "unknown";
  const auto last = last_branch ? Version::parse(*last_branch) : Expected<Version>(Version());
  return last && *last ? fmt::format(">={},<{}", *minimum, last->major() + 1) : ">=" + *minimum;
}

std::vector<Environment::Driver::Served> Environment::Driver::by_range() const {
  std::vector<Served> result;
  for (const auto& machine : machines) {
    auto same = std::find_if(result.begin(), result.end(), [&](const Served& one) { return one.range == machine.range; });
    if (same == result.end()) same = result.insert(result.end(), {machine.range, {}});
    same->gpus.insert(same->gpus.end(), machine.gpus.begin(), machine.gpus.end());
  }
  if (result.empty()) result.push_back({range, {}});
  return result;
}

}  // namespace envgen
