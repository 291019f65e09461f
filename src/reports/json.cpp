#include <fmt/format.h>

#include "reports/view.hpp"

namespace envgen::reports {
namespace {

using validate::Json;
using validate::Status;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json diagnosis_json(const diagnosis::Diagnosis* known) {
  if (known == nullptr) return {};
  Json commands = Json::array();
  for (const auto command : known->command_lines()) commands.push_back(command);
  return {{"id", known->id}, {"cause", known->cause}, {"fix", known->fix}, {"commands", std::move(commands)}};
}

Json result_json(const validate::Result& result) {
  return {{"id", result.check},
          {"device", result.device ? Json(*result.device) : Json()},
          {"status", name_of(result.status)},
          {"message", result.message},
          {"evidence", result.evidence},
          {"diagnosis", diagnosis_json(result.diagnosis)}};
}

}  // namespace

std::string json(const validate::Report& report) {
  Json summary;
  for (const auto status : {Status::pass, Status::warn, Status::fail, Status::skip, Status::unknown})
    summary[std::string(name_of(status))] = report.count(status);
  Json results = Json::array();
  Json not_made = Json::array();
  for (const auto& result : report.results) {
    results.push_back(result_json(result));
    if (result.status == Status::skip) not_made.push_back({{"id", result.check}, {"why", result.message}});
  }
  const Json whole{{"schema_version", 1},
                   {"program", text_or_null(report.program)},
                   {"started", text_or_null(report.started)},
                   {"image", report.image},
                   {"profile", report.profile},
                   {"engine", text_or_null(report.engine)},
                   {"gpus", text_or_null(report.gpus)},
                   {"lock", text_or_null(report.lock)},
                   {"doubles", report.doubles},
                   {"machine", to_json(report.machine)},
                   {"seconds", report.seconds},
                   {"ok", !report.failed()},
                   {"summary", std::move(summary)},
                   {"checks", std::move(results)},
                   {"not_made", std::move(not_made)}};
  // What programs in the container printed need not be UTF-8.
  return whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace envgen::reports
