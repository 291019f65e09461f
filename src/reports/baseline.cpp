#include "reports/baseline.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "reports/wording.hpp"

namespace envgen::reports {
namespace {

using validate::Report;
using validate::Result;
using validate::Status;

constexpr std::string_view check = "baseline";

/// The GPU or GPUs that a speed is of.
std::string models_of(const Report& report, const Speed& speed) {
  std::vector<std::string> names;
  if (speed.device) {
    names.push_back(report.machine.name_of(speed.device));
    if (speed.peer) names.push_back(report.machine.name_of(speed.peer));
  } else {
    for (const auto& gpu : report.machine.gpus) names.push_back(gpu.name);
  }
  if (std::any_of(names.begin(), names.end(), [](const auto& name) { return name.empty(); })) return {};
  return fmt::format("{}", fmt::join(names, " + "));
}

struct Counterpart {
  const Speed* speed = nullptr;
  std::string why_not;  ///< nothing can be compared: why
};

/// What `speed` is compared with: the same GPU where it has the same model, else the slowest of that model.
Counterpart counterpart(const Report& report, const Speed& speed, const Report& baseline, const std::vector<Speed>& old) {
  const auto model = models_of(report, speed);
  if (model.empty()) return {nullptr, "its GPU is unknown"};
  bool same_test = false;
  bool same_model = false;
  std::string excuse;
  const Speed* found = nullptr;
  bool exact = false;
  for (const auto& one : old) {
    if (one.test != speed.test || one.unit != speed.unit) continue;
    same_test = true;
    if (models_of(baseline, one) != model) continue;
    same_model = true;
    if (one.size != speed.size || one.size.empty()) continue;
    if (!one.excuse.empty()) {
      excuse = one.excuse;
      continue;
    }
    const bool same_gpu = one.device == speed.device && one.peer == speed.peer;
    if (found == nullptr || (same_gpu && !exact) || (same_gpu == exact && one.value < found->value)) found = &one;
    exact = exact || same_gpu;
  }
  if (found != nullptr) return {found, {}};
  if (!same_test) return {nullptr, "the earlier report does not have this speed"};
  if (!same_model) return {nullptr, fmt::format("the earlier report has no {}", model)};
  if (!excuse.empty()) return {nullptr, fmt::format("in the earlier report {}", excuse)};
  return {nullptr, "the earlier report has other sizes"};
}

struct Comparison {
  std::vector<Result> slower;
  std::size_t compared = 0;
  double least = 0;  ///< the smallest ratio
  std::string slowest;
  std::map<std::string, std::vector<std::string>> not_compared;  ///< by the reason
};

Comparison compare(const Report& report, const Report& baseline, const std::string& name, double tolerance) {
  Comparison all;
  const auto old = speeds(baseline);
  for (const auto& speed : speeds(report)) {
    auto other = speed.excuse.empty() ? counterpart(report, speed, baseline, old) : Counterpart{nullptr, speed.excuse};
    if (other.speed == nullptr) {
      all.not_compared[other.why_not].push_back(name_with_gpu(speed));
      continue;
    }
    const double ratio = speed.value / other.speed->value;
    if (all.compared++ == 0 || ratio < all.least) {
      all.least = ratio;
      all.slowest = name_with_gpu(speed);
    }
    constexpr double percent = 100;
    if (ratio >= 1 - tolerance / percent) continue;
    Result result{std::string(check), Status::fail,
                  fmt::format("{}: {}, against {} in {}: {:.1f}% slower ({:g}% is allowed)", name_with_gpu(speed),
                              rate_text(speed.value, speed.unit), rate_text(other.speed->value, speed.unit), name,
                              percent * (1 - ratio), tolerance)};
    result.device = speed.device;
    result.evidence = {{"test", speed.test},
                       {"size", speed.size},
                       {"value", speed.value},
                       {"unit", speed.unit},
                       {"baseline", other.speed->value},
                       {"ratio", ratio},
                       {"tolerance_percent", tolerance}};
    if (speed.peer) result.evidence["peer"] = *speed.peer;
    all.slower.push_back(std::move(result));
  }
  return all;
}

/// `; 3 were not: the GPU is throttled (d2d 512 MiB on GPU 0, ...)`
std::string told(const std::map<std::string, std::vector<std::string>>& not_compared) {
  constexpr std::size_t most_named = 3;
  std::vector<std::string> reasons;
  for (const auto& [why, names] : not_compared) {
    const auto shown =
        std::vector<std::string>(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_named)));
    reasons.push_back(fmt::format("{} ({}{})", why, fmt::join(shown, ", "),
                                  names.size() > most_named ? fmt::format(" and {} more", names.size() - most_named) : ""));
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

std::vector<Result> judge(const Report& report, const Report& baseline, const std::string& file, double tolerance) {
  constexpr std::size_t longest_name = 300;
  const auto name = visible(file, longest_name);
  const auto one = [&](Status status, std::string message) {
    return std::vector<Result>{{std::string(check), status, std::move(message)}};
  };
  if (const auto why = worthless(report); !why.empty()) return one(Status::skip, why);
  if (const auto why = worthless(baseline); !why.empty()) return one(Status::skip, fmt::format("{}: {}", name, why));
  if (speeds(baseline).empty()) return one(Status::unknown, fmt::format("{} has no speeds", name));
  if (speeds(report).empty()) return one(Status::unknown, "no comparable speed was measured");
  auto all = compare(report, baseline, name, tolerance);
  const auto others = told(all.not_compared);
  if (all.compared == 0) return one(Status::unknown, fmt::format("no speed could be compared with {}: {}", name, others));
  auto results = std::move(all.slower);
  if (results.empty()) {
    constexpr double percent = 100;
    auto message = fmt::format("{} speeds are within {:g}% of {}; the lowest is {:.1f}% of it: {}", all.compared, tolerance, name,
                               percent * all.least, all.slowest);
    if (!others.empty()) message += "; not compared: " + others;
    results = one(Status::pass, std::move(message));
    results.front().evidence = {{"compared", all.compared}, {"least_ratio", all.least}, {"tolerance_percent", tolerance}};
  } else if (!others.empty()) {
    results.push_back({std::string(check), Status::unknown, "not compared: " + others});
  }
  return results;
}

}  // namespace

std::string worthless(const Report& report) {
  if (report.doubles.empty()) return {};
  return fmt::format("test doubles replaced {}, so the speeds mean nothing", fmt::join(report.doubles, ", "));
}

void compare_with_baseline(Report& report, const Report& baseline, const std::string& name, double tolerance) {
  auto results = judge(report, baseline, name, tolerance);
  std::erase_if(report.results, [](const Result& result) { return result.check == check; });
  for (auto& result : results) report.results.push_back(std::move(result));
  report.sort();
}

}  // namespace envgen::reports
