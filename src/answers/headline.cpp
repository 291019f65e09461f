#include "answers/headline.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/os_name.hpp"
#include "model/working_drivers.hpp"
#include "resolver/query.hpp"

namespace envgen::answers {
namespace {

bool is_said_by_the_request(const std::string& asked, const Environment::DriverRange& range) {
  return works_as_asked(asked, range) || !DriverVersion::parse(asked);
}

/// `driver 525.60.13 to R580 (V100), 570.86.15 or newer (B200)`.
std::string drivers_of_machines(const std::vector<Environment::Driver::Served>& served) {
  constexpr std::size_t most = 3;
  if (served.size() > most) return "a driver for each machine";
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // a driver, and the boards that it serves
  for (const auto& one : served) {
    const bool as_asked = one.asked && is_said_by_the_request(*one.asked, one.range);
    auto words = as_asked ? working_drivers(*one.asked, one.range) : range_in_words(one.range);
    if (words.empty()) continue;  // no number says it: a Jetson has a JetPack
    if (one.lifted) words += " with cuda-compat";
    auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == words; });
    if (same == groups.end()) same = groups.insert(same, {std::move(words), {}});
    same->second.push_back(boards_in_words(one.gpus));
  }
  if (groups.empty()) return {};
  std::vector<std::string> parts;
  for (const auto& [words, boards] : groups)
    parts.push_back(groups.size() == 1 ? words : fmt::format("{} ({})", words, fmt::join(boards, ", ")));
  return fmt::format("{} {}", served.front().range.windows_cuda ? "Windows driver" : "driver", fmt::join(parts, ", "));
}

/// The driver that was asked for, where it was for every machine and all of it works; else the range that works, or that of each
/// machine; empty: no number says it.
std::string driver_in_words(const Environment::Driver& driver) {
  const auto served = driver.by_request();
  const auto* compat = needs_compat(driver) ? " with cuda-compat" : "";
  const bool one_range = driver.by_range().size() == 1;
  const auto is_exception = [](const auto& one) { return one.asked && below_minimum(*one.asked, one.range); };
  if (!one_range || (served.size() > 1 && std::any_of(served.begin(), served.end(), is_exception)))
    return drivers_of_machines(served);
  const auto asked = std::all_of(served.begin(), served.end(), [&](const auto& one) { return one.asked == served[0].asked; })
                         ? served.front().asked
                         : std::nullopt;
  if (asked && driver.range.windows_cuda) return "Windows driver " + *asked + compat;
  if (asked && is_said_by_the_request(*asked, driver.range)) return "driver " + working_drivers(*asked, driver.range) + compat;
  const auto words = range_in_words(driver.range);
  return words.empty() ? words : (driver.range.windows_cuda ? "Windows driver " : "driver ") + words + compat;
}

/// `driver >=525.60.13`, or `driver >=525.60.13,<581 (V100), >=570.26 (B200)` where machines differ.
std::string driver_ranges(const std::optional<Environment::Driver>& driver) {
  if (!driver) return "no driver";
  const auto served = driver->by_range();
  if (served.size() == 1) return fmt::format("driver {}", served.front().range.to_string());
  std::vector<std::string> parts;
  for (const auto& one : served) parts.push_back(fmt::format("{} ({})", one.range.to_string(), boards_in_words(one.gpus)));
  return fmt::format("driver {}", fmt::join(parts, ", "));
}

}  // namespace

std::string range_in_words(const Environment::DriverRange& range) {
  if (!range.minimum) return {};
  if (range.windows_cuda) return windows_branches(range);
  return range.last_branch ? fmt::format("{} to {}.xx", *range.minimum, range.last_branch->branch())
                           : fmt::format("{} or newer", *range.minimum);
}

std::string jetpack_in_words(const Environment& environment) {
  for (const auto& gpu : environment.gpus) {
    if (gpu.capability != resolver::orin) continue;
    // CUDA 12 has targets of its own for Jetson; that of CUDA 13 is the one of all Arm machines, from JetPack 7.2 on.
    const auto& cuda = environment.build().cuda;
    return cuda && *cuda < Version(13) ? "JetPack 6 or newer" : "JetPack 7.2 or newer";
  }
  return {};
}

std::string boards_in_words(const std::vector<std::string>& gpus) {
  return gpus.empty() ? "unnamed GPUs" : fmt::format("{}", fmt::join(gpus, ", "));
}

bool needs_compat(const Environment::Driver& driver) { return is_carried_by(driver.carried_by, CarriedBy::forward_compat); }

std::string headline(const Environment& environment) {
  const auto& build = environment.build();
  std::string text = fmt::format("{} {}", environment.torch ? "torch" : "tensorflow", build.version);
  text += build.cuda ? fmt::format(" + CUDA {}", *build.cuda) : " for the CPU";
  text += fmt::format(", Python {}, {}", environment.python, environment.os ? os_name(*environment.os) : "unknown system");
  if (const auto jetpack = jetpack_in_words(environment); !jetpack.empty()) text += ", " + jetpack;
  if (!environment.driver) return text;
  const auto driver = driver_in_words(*environment.driver);
  if (!driver.empty()) text += ", " + driver;
  return text;
}

std::string environment_line(const Environment& environment) {
  const auto& build = environment.build();
  return fmt::format("{} {}  CUDA {}  cuDNN {}  Python {} ({})  {}  {}  {}", environment.torch ? "torch" : "tensorflow",
                     build.version,
                     spelling_or(build.cuda ? environment.toolkit().version.value_or(*build.cuda) : build.cuda, "cpu"),
                     environment.cudnn ? spelling_or(environment.cudnn->version, "?") : "-", environment.python,
                     name_of(environment.python_provider), environment.os.value_or("?"), name_of(environment.base),
                     driver_ranges(environment.driver));
}

}  // namespace envgen::answers
