#include "model/environment.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/working_drivers.hpp"

namespace envgen {

std::string Environment::DriverRange::to_string() const {
  if (windows_cuda) return fmt::format("for Windows: {} (CUDA {} in nvidia-smi)", windows_branches(*this), *windows_cuda);
  if (!minimum) return "unknown";
  const auto from = fmt::format(">={}", *minimum);
  return last_branch ? fmt::format("{},<{}", from, last_branch->branch() + 1) : from;
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
