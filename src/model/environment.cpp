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

bool is_carried_by(const std::vector<CarriedBy>& carriers, CarriedBy carrier) {
  return std::find(carriers.begin(), carriers.end(), carrier) != carriers.end();
}

namespace {

void add(std::vector<Environment::Driver::Served>& all, Environment::Driver::Served served) {
  const auto same = std::find_if(all.begin(), all.end(), [&](const auto& one) {
    return one.range == served.range && one.asked == served.asked && one.lifted == served.lifted;
  });
  if (same == all.end()) return all.push_back(std::move(served));
  same->gpus.insert(same->gpus.end(), served.gpus.begin(), served.gpus.end());
}

}  // namespace

std::vector<Environment::Driver::Served> Environment::Driver::by_range() const {
  std::vector<Served> result;
  for (const auto& machine : machines) add(result, {machine.range, machine.gpus});
  if (result.empty()) result.push_back({range, {}});
  return result;
}

std::vector<Environment::Driver::Served> Environment::Driver::by_request() const {
  std::vector<Served> result;
  for (const auto& machine : machines)
    add(result, {machine.range, machine.gpus, machine.asked, is_carried_by(machine.carried_by, CarriedBy::forward_compat)});
  if (result.empty()) result.push_back({range, {}, asked, is_carried_by(carried_by, CarriedBy::forward_compat)});
  return result;
}

}  // namespace envgen
