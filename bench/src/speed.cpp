#include "speed.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace envgen::bench {

std::string excuse(const Conditions& conditions) {
  if (conditions.before.mig == true) return "the GPU is in MIG mode";
  if (conditions.before.compute_processes.value_or(0) > 0) return "other processes use the GPU";
  if (throttled(conditions.after) || throttled(conditions.before)) return "the GPU is throttled";
  return "";
}

std::string rate_text(double value, const char* unit) {
  std::array<char, 48> text{};
  const bool large = value >= 1e12;
  std::snprintf(text.data(), text.size(), "%.4g %s%s", value / (large ? 1e12 : 1e9), large ? "T" : "G", unit);
  return text.data();
}

Row speed_row(std::string id, double value, const char* unit, const std::optional<Expectation>& expected,
              const Conditions& conditions) {
  Row row;
  row.id = std::move(id);
  row.kind = Kind::information;
  row.status = std::isfinite(value) && value > 0 ? Status::pass : Status::fail;
  row.message = rate_text(value, unit);
  const auto why_not = excuse(conditions);
  row.evidence = {{"value", value},
                  {"unit", unit},
                  {"expected", expected ? Json(expected->value) : Json()},
                  {"ratio", expected ? Json(value / expected->value) : Json()},
                  {"basis", expected ? Json(expected->basis) : Json()},
                  {"source", expected ? Json(expected->source) : Json()},
                  {"warn_below", expected ? Json(expected->warn_below) : Json()},
                  {"fail_below", expected && expected->fail_below > 0 ? Json(expected->fail_below) : Json()},
                  {"excuse", why_not.empty() ? Json() : Json(why_not)},
                  {"before", to_json(conditions.before)},
                  {"after", to_json(conditions.after)}};
  if (!expected) {
    row.message += ", no reference for this GPU";
    return row;
  }
  std::array<char, 48> part{};
  std::snprintf(part.data(), part.size(), ", %.0f%% of ", 100 * value / expected->value);
  row.message +=
      part.data() + rate_text(expected->value, unit) + (expected->basis == "measured" ? " (measured before)" : " (theoretical)");
  if (!why_not.empty()) {
    row.message += "; not compared: " + why_not;
    return row;
  }
  row.kind = Kind::performance;
  const double ratio = value / expected->value;
  // Written so that a ratio which is not a number falls.
  row.status = ratio >= expected->warn_below ? Status::pass : ratio >= expected->fail_below ? Status::warn : Status::fail;
  return row;
}

}  // namespace envgen::bench
