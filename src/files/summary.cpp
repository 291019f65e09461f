#include "files/summary.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "model/version_spec.hpp"

namespace envgen::files {
namespace {

using Op = VersionSpec::Op;

/// Where the range of an environment begins, and the first branch after it; none: it is open at this end.
struct Bounds {
  Version minimum;
  Version after;
};

bool is_lower(const VersionSpec::Clause& clause) { return clause.op == Op::greater || clause.op == Op::greater_equal; }
bool is_upper(const VersionSpec::Clause& clause) { return clause.op == Op::less || clause.op == Op::less_equal; }

/// True when the range itself says as much.
bool is_idle(const VersionSpec::Clause& clause, const Bounds& bounds) {
  if (is_upper(clause)) return bounds.after && clause.version >= bounds.after;
  return clause.op != Op::prefix && clause.version < bounds.minimum.at(clause.version.count());
}

/// The drivers of an asked range that work, as `--driver` takes them: what is asked where it is narrower than the environment's
/// own range, else that one's bounds. A branch or a release by itself works as it was asked for.
std::string stated(const std::string& asked, const Environment::DriverRange& range) {
  const auto whole = VersionSpec::parse(asked);
  if (!whole || whole->single() || !range.minimum) return asked;
  const Bounds bounds{range.minimum->version(),
                      range.last_branch ? Version(static_cast<std::uint16_t>(range.last_branch->branch() + 1)) : Version()};
  if (whole->is_below(bounds.minimum)) return asked + " (where the image's gate allows the branch)";
  std::vector<std::string> parts;
  bool begins = false;
  bool ends = !bounds.after;
  for (std::string_view rest = asked; !rest.empty();) {
    const auto part = std::string(without_spaces_around(rest.substr(0, rest.find(','))));
    rest.remove_prefix(std::min(rest.size(), rest.find(',') == std::string_view::npos ? rest.size() : rest.find(',') + 1));
    const auto spec = VersionSpec::parse(part);
    const auto& clauses = spec->clauses();
    const auto any = [&](auto holds) { return std::any_of(clauses.begin(), clauses.end(), holds); };
    if (std::all_of(clauses.begin(), clauses.end(), [&](const auto& clause) { return is_idle(clause, bounds); })) continue;
    begins = begins || any([&](const auto& clause) { return is_lower(clause) && clause.version >= bounds.minimum; });
    ends = ends || any([&](const auto& clause) { return is_upper(clause); });
    parts.push_back(part);
  }
  if (!begins) parts.insert(parts.begin(), ">=" + range.minimum->to_string());
  if (!ends) parts.push_back("<" + bounds.after.to_string());
  return fmt::format("{}", fmt::join(parts, ","));
}

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
  const auto of_range = [](const Environment::DriverRange& range) { return range.minimum ? range.to_string() : std::string(); };
  if (driver.machines.empty()) return {{gpus, of_range(driver.range)}};
  std::vector<Served> result;
  for (const auto& machine : driver.machines) {
    auto text = machine.asked ? stated(*machine.asked, machine.range) : of_range(machine.range);
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
  if (environment.os) text += " on " + *environment.os;
  for (const auto& [gpus, driver] : served(environment)) {
    if (!gpus.empty()) text += fmt::format(", for {}", fmt::join(gpus, ", "));
    if (!driver.empty()) text += fmt::format("{} driver {}", gpus.empty() ? "," : " with", driver);
  }
  return text;
}

}  // namespace envgen::files
