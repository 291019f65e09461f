#include "validate/report.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/recognise.hpp"

namespace envgen::validate {
namespace {

constexpr std::array<std::string_view, 5> status_names{"pass", "warn", "fail", "skip", "unknown"};

std::size_t place_of(const Result& result) {
  const auto all = checks();
  // A speed stands beside the test that measured it: `d2d.speed` with `d2d`.
  const auto id = std::string_view(result.check).substr(0, result.check.find('.'));
  const auto found = std::find_if(all.begin(), all.end(), [&](const Check& check) { return check.id == id; });
  return static_cast<std::size_t>(found - all.begin());
}

bool is_proof(const Result& result) { return result.status == Status::pass; }

}  // namespace

std::string_view name_of(Status status) { return status_names[static_cast<std::size_t>(status)]; }

std::optional<Status> parse_status(std::string_view name) {
  const auto* const found = std::find(status_names.begin(), status_names.end(), name);
  if (found == status_names.end()) return std::nullopt;
  return static_cast<Status>(found - status_names.begin());
}

Result made(std::string_view check, Status status, std::string message, std::string_view diagnosis) {
  return as({std::string(check)}, status, std::move(message), diagnosis);
}

Result as(Result result, Status status, std::string message, std::string_view diagnosis) {
  result.status = status;
  result.message = std::move(message);
  if (!diagnosis.empty()) result.diagnosis = diagnosis::find(diagnosis);
  return result;
}

const diagnosis::Diagnosis* recognised(const std::vector<std::string>& words) {
  const auto found = diagnosis::recognise(fmt::format("{}", fmt::join(words, "\n")));
  return found.empty() ? nullptr : found.front().diagnosis;
}

std::string with_words(const std::string& why, const std::vector<std::string>& words) {
  return words.empty() ? why : fmt::format("{}: {}", why, fmt::join(words, " "));
}

Result& Report::add(std::string_view check, Status status, std::string message) {
  results.push_back({std::string(check), status, std::move(message)});
  return results.back();
}

void Report::add(std::vector<Result> more) {
  results.insert(results.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

bool Report::has(std::string_view check) const {
  return std::any_of(results.begin(), results.end(), [&](const Result& result) { return result.check == check; });
}

void Report::skip_rest(const std::function<std::string(const Check&)>& why) {
  for (const auto& check : checks()) {
    if (!has(check.id)) add(check.id, Status::skip, check.needs == Needs::baseline ? "no --baseline was given" : why(check));
  }
}

void Report::require(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    const bool host = name == require_ipc_host;
    const std::string_view id = host ? "ipc" : std::string_view(name);
    bool failed = false;
    bool proven = false;
    for (const auto& result : results) {
      if (result.check != id) continue;
      failed = failed || result.status == Status::fail;
      proven = proven || (is_proof(result) && (!host || result.evidence.value("mode", "") == "host"));
    }
    if (failed || proven) continue;
    for (auto& result : results) {
      if (result.check != id) continue;
      result.message =
          fmt::format("--require {}: {}: {}", name, is_proof(result) ? "not satisfied" : "not proven", result.message);
      result.status = Status::fail;
      break;
    }
  }
}

void Report::sort() {
  std::stable_sort(results.begin(), results.end(), [](const Result& a, const Result& b) { return place_of(a) < place_of(b); });
}

void Report::add_doubles(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (std::find(doubles.begin(), doubles.end(), name) == doubles.end()) doubles.push_back(name);
  }
}

std::size_t Report::count(Status status) const {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(), [&](const Result& result) { return result.status == status; }));
}

bool Report::lacks_prerequisite() const {
  return std::any_of(results.begin(), results.end(),
                     [](const Result& result) { return result.status == Status::fail && result.prerequisite; });
}

std::string summary(const Report& report) {
  return fmt::format("{} passed, {} failed, {} warned, {} unknown, {} skipped", report.count(Status::pass),
                     report.count(Status::fail), report.count(Status::warn), report.count(Status::unknown),
                     report.count(Status::skip));
}

}  // namespace envgen::validate
