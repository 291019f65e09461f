#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/parse.hpp"

namespace envgen::reports::test {

using Json = nlohmann::ordered_json;

/// A report of tests/golden/reports, which are made up: their GPU is an example.
inline Json saved(const std::string& name) {
  std::ifstream file(std::string(REPORTS) + "/" + name);
  return Json::parse(file);
}

inline validate::Report parsed(const Json& json) {
  auto report = parse_report(json.dump(), "R.json");
  EXPECT_TRUE(report) << report.error().message;
  return report ? std::move(*report) : validate::Report{};
}

/// The first result of a check on a GPU.
inline Json& check_of(Json& json, const std::string& id, const Json& device = {}) {
  for (auto& check : json.at("checks")) {
    if (check.at("id") == id && check.at("device") == device) return check;
  }
  throw std::out_of_range(id);
}

}  // namespace envgen::reports::test
