#include "files/summary.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/os_name.hpp"
#include "model/working_drivers.hpp"

namespace envgen::files {
namespace {

/// Boards, and the drivers under which they are served; empty: no number says it.
struct Served {
  std::vector<std::string> gpus;
  std::string driver;
};

std::vector<Served> served(const Environment& environment) {
  std::vector<std::string> gpus;
  for (const auto& gpu : environment.gpus) gpus.push_back(gpu.name);
  if (!environment.driver) return {{gpus, {}}};
  const auto& driver = *environment.driver;
  const auto of_range = [](const Environment::DriverRange& range) {
    if (!range.minimum) return std::string();
    return range.windows_cuda
               ? fmt::format("Windows driver {} (CUDA {} in nvidia-smi)", windows_branches(range), *range.windows_cuda)
               : "driver " + range.to_string();
  };
  if (driver.machines.empty()) return {{gpus, of_range(driver.range)}};
  std::vector<Served> result;
  for (const auto& machine : driver.machines) {
    auto text = machine.asked ? (machine.range.windows_cuda ? "Windows driver " : "driver ") +
                                    working_drivers(*machine.asked, machine.range)
                              : of_range(machine.range);
    auto same = std::find_if(result.begin(), result.end(), [&](const Served& one) { return one.driver == text; });
    if (same == result.end()) same = result.insert(result.end(), {{}, std::move(text)});
    same->gpus.insert(same->gpus.end(), machine.gpus.begin(), machine.gpus.end());
  }
  return result;
}

}  // namespace

std::string short_title(const Environment& environment) {
  const auto& build = environment.build();
  return fmt::format("{} {}, {}", environment.torch ? "torch" : "tensorflow", build.version,
                     build.cuda ? "CUDA " + build.cuda->to_string() : "CPU");
}

std::string title(const Environment& environment) {
  auto text = short_title(environment);
  if (environment.cudnn && environment.cudnn->version) text += ", cuDNN " + environment.cudnn->version->to_string();
  text += ", Python " + environment.python.to_string();
  if (environment.os) text += " on " + os_name(*environment.os);
  for (const auto& [gpus, driver] : served(environment)) {
    if (!gpus.empty()) text += fmt::format(", for {}", fmt::join(gpus, ", "));
    if (!driver.empty()) text += fmt::format("{} {}", gpus.empty() ? "," : " with", driver);
  }
  return text;
}

}  // namespace envgen::files
