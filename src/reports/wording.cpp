#include "reports/wording.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "util/json_members.hpp"

namespace envgen::reports {

using validate::Report;
using validate::Result;
using validate::Status;

std::string title(const Report& report) { return report.image.empty() ? "envgen-bench" : report.image; }

std::string program(const Report& report) { return report.image.empty() ? "envgen-bench" : "envgen validate"; }

std::string name_of_row(const Result& result) {
  if (!result.device) return result.check;
  const auto peer = util::number_member(result.evidence, "peer");
  return peer ? fmt::format("{}/{}-{}", result.check, *result.device, *peer) : fmt::format("{}/{}", result.check, *result.device);
}

std::string_view mark(Status status) {
  switch (status) {
    case Status::pass:
      return "✓ pass";
    case Status::warn:
      return "⚠ warn";
    case Status::fail:
      return "✗ fail";
    case Status::skip:
      return "skip";
    case Status::unknown:
      break;
  }
  return "? unknown";
}

std::string doubles_notice(const Report& report) {
  if (report.doubles.empty()) return {};
  return fmt::format("Test doubles replaced {}: this says nothing about real GPUs.", fmt::join(report.doubles, ", "));
}

std::vector<std::pair<std::string, std::string>> facts(const Report& report) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto tell = [&](const char* name, std::string value) {
    if (!value.empty()) all.emplace_back(name, std::move(value));
  };
  tell("started", report.started);
  tell("took", fmt::format("{:.1f} s", report.seconds));
  tell("profile", report.profile);
  tell("engine", report.engine);
  tell("--gpus", report.gpus);
  tell("lock", report.lock);
  tell("driver", report.machine.driver);
  tell("driver's CUDA", report.machine.cuda);
  std::vector<std::pair<std::string, std::size_t>> models;
  for (const auto& gpu : report.machine.gpus) {
    const auto known = std::find_if(models.begin(), models.end(), [&](const auto& model) { return model.first == gpu.name; });
    if (known == models.end()) {
      models.emplace_back(gpu.name, 1);
    } else {
      ++known->second;
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, count] : models) names.push_back(count == 1 ? name : fmt::format("{} x {}", count, name));
  tell("GPUs", fmt::format("{}", fmt::join(names, ", ")));
  std::vector<std::string> libraries;
  for (const auto& [name, version] : report.machine.libraries) libraries.push_back(fmt::format("{} {}", name, version));
  tell("libraries", fmt::format("{}", fmt::join(libraries, ", ")));
  tell("created by", report.program);
  return all;
}

std::vector<std::pair<std::string, std::vector<std::string>>> not_made(const Report& report) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const auto& result : report.results) {
    if (result.status != Status::skip) continue;
    auto found = std::find_if(reasons.begin(), reasons.end(), [&](const auto& one) { return one.first == result.message; });
    if (found == reasons.end()) found = reasons.insert(reasons.end(), {result.message, {}});
    found->second.push_back(name_of_row(result));
  }
  return reasons;
}

std::vector<const diagnosis::Diagnosis*> diagnoses(const Report& report) {
  std::vector<const diagnosis::Diagnosis*> found;
  for (const auto& result : report.results) {
    if (result.diagnosis != nullptr && std::find(found.begin(), found.end(), result.diagnosis) == found.end())
      found.push_back(result.diagnosis);
  }
  return found;
}

}  // namespace envgen::reports
