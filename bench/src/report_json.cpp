#include "report_json.hpp"

#include <utility>

#include "version.hpp"

namespace envgen::bench {
namespace {

Json summary_of(const std::vector<Row>& rows) {
  Json summary;
  for (const auto status : {Status::pass, Status::warn, Status::fail, Status::skip, Status::unknown})
    summary[name_of(status)] = 0;
  for (const auto& row : rows) summary[name_of(row.status)] = summary[name_of(row.status)].get<int>() + 1;
  return summary;
}

Json doubles_of(const Json& libraries) {
  Json doubles = Json::array();
  for (const auto& library : libraries) {
    if (library.value("double", false)) doubles.push_back(library.at("name"));
  }
  return doubles;
}

}  // namespace

Json report_json(const Report& report, const Options& options) {
  Json tests = Json::array();
  Json not_made = Json::array();
  for (const auto& row : report.rows) {
    tests.push_back(to_json(row));
    if (row.status == Status::skip && row.id != "probe") not_made.push_back({{"id", row.id}, {"why", row.message}});
  }
  return {{"schema_version", schema_version},
          {"program", {{"name", "envgen-bench"}, {"version", version}}},
          {"nonce", options.report_nonce.empty() ? Json() : Json(options.report_nonce)},
          {"started", report.started},
          {"seconds", report.seconds},
          {"profile", options.profile == Profile::smoke ? "smoke" : "full"},
          {"scale", options.scale},
          {"doubles", doubles_of(report.libraries)},
          {"interrupted", report.interrupted},
          {"out_of_time", report.out_of_time},
          {"exit_status", exit_status(report, options)},
          {"gpu", {{"present", report.gpu_present}, {"absent", report.gpu_absent}}},
          {"driver", report.driver},
          {"device_nodes", report.device_nodes},
          {"libraries", report.libraries},
          {"gpus", report.gpus},
          {"summary", summary_of(report.rows)},
          {"tests", std::move(tests)},
          {"not_made", std::move(not_made)},
          {"then", report.then},
          {"touched", report.touched}};
}

}  // namespace envgen::bench
