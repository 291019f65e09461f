#include "output/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace envgen::output {

std::string short_title(const Environment& environment) {
  const auto& build = environment.build();
  return fmt::format("{} {}, {}", environment.torch ? "torch" : "tensorflow", build.version,
                     build.cuda ? "CUDA " + *build.cuda : "CPU");
}

std::string title(const Environment& environment) {
  auto text = short_title(environment);
  if (environment.cudnn && environment.cudnn->version) text += ", cuDNN " + *environment.cudnn->version;
  text += ", Python " + environment.python;
  if (environment.os) text += " on " + *environment.os;
  std::vector<std::string> gpus;
  for (const auto& gpu : environment.gpus) gpus.push_back(gpu.name);
  if (!gpus.empty()) text += fmt::format(", for {}", fmt::join(gpus, ", "));
  if (!environment.driver) return text;
  const auto& driver = *environment.driver;
  if (driver.asked || driver.range.minimum)
    text += fmt::format("{} driver {}", gpus.empty() ? "," : " under", driver.asked ? *driver.asked : driver.range.to_string());
  return text;
}

}  // namespace envgen::output
