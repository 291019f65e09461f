#include "reports/speeds.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "util/json_members.hpp"

namespace envgen::reports {
namespace {

using validate::Json;
using validate::Report;
using validate::Result;

constexpr std::size_t longest_label = 80;
constexpr std::size_t most_points = 64;

std::optional<double> figure(const Json& object, std::string_view name) {
  const auto value = util::real_member(object, name);
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

std::string word(const Json& object, std::string_view name) {
  return visible(util::text_member(object, name).value_or(""), longest_label);
}

/// The test that a row of its speed belongs to: `d2d` of `d2d.speed`.
std::string_view test_of(std::string_view id) { return id.substr(0, id.find('.')); }

std::optional<long long> peer_of(const Result& result) { return util::number_member(result.evidence, "peer"); }

const Json* sizes_of(const Result& result) {
  const auto* sizes = util::member(result.evidence, "sizes");
  return sizes != nullptr && sizes->is_array() ? sizes : nullptr;
}

std::string largest_size(const Result& test) {
  if (const auto* sizes = sizes_of(test); sizes != nullptr) {
    for (auto size = sizes->rbegin(); size != sizes->rend(); ++size) {
      if (const auto n = figure(*size, "n"); n && figure(*size, "flop_per_second")) return fmt::format("n={:.0f}", *n);
      if (const auto floats = figure(*size, "floats")) return bytes_text(*floats * sizeof(float));
    }
  }
  if (const auto bytes = figure(test.evidence, "bytes")) return bytes_text(*bytes);
  if (const auto floats = figure(test.evidence, "floats")) return bytes_text(*floats * sizeof(float));
  return {};
}

/// The row of the test itself, beside its speed.
const Result* sibling(const Report& report, const Result& speed) {
  const auto found = std::find_if(report.results.begin(), report.results.end(), [&](const Result& result) {
    return result.check == test_of(speed.check) && result.device == speed.device && peer_of(result) == peer_of(speed);
  });
  return found == report.results.end() ? nullptr : &*found;
}

std::optional<Speed> judged(const Report& report, const Result& result) {
  const auto value = figure(result.evidence, "value");
  const auto unit = word(result.evidence, "unit");
  if (!value || (unit != "FLOP/s" && unit != "B/s")) return std::nullopt;
  Speed speed;
  speed.test = result.check;
  constexpr std::string_view ending = ".speed";
  if (speed.test.ends_with(ending)) speed.test.resize(speed.test.size() - ending.size());
  speed.device = result.device;
  speed.peer = peer_of(result);
  if (const auto* test = sibling(report, result); test != nullptr) speed.size = largest_size(*test);
  speed.value = *value;
  speed.unit = unit;
  speed.expected = figure(result.evidence, "expected");
  speed.basis = word(result.evidence, "basis");
  speed.warn_below = figure(result.evidence, "warn_below");
  speed.fail_below = figure(result.evidence, "fail_below");
  speed.excuse = word(result.evidence, "excuse");
  speed.status = result.status;
  return speed;
}

Speed information(const Result& result, std::string test, std::string size, double value, const char* unit) {
  Speed speed;
  speed.test = std::move(test);
  speed.device = result.device;
  speed.size = std::move(size);
  speed.value = value;
  speed.unit = unit;
  return speed;
}

/// A layer's parts, forward and backward.
void add_parts(const Result& block, std::vector<Speed>& all) {
  const auto* parts = util::member(block.evidence, "parts");
  if (parts == nullptr || !parts->is_array()) return;
  for (const auto& part : *parts) {
    const auto size =
        fmt::format("h={} s={} b={}", util::number_member(part, "hidden").value_or(0),
                    util::number_member(part, "sequence").value_or(0), util::number_member(part, "batch").value_or(0));
    for (const auto* direction : {"forward", "backward"}) {
      const auto* timed = util::member(part, direction);
      const auto rate = timed == nullptr ? std::nullopt : figure(*timed, "flop_per_second");
      if (rate)
        all.push_back(information(block, fmt::format("block.{}.{}", word(part, "part"), direction), size, *rate, "FLOP/s"));
    }
  }
}

}  // namespace

std::vector<Speed> speeds(const Report& report) {
  std::vector<Speed> all;
  for (const auto& result : report.results) {
    if (auto speed = judged(report, result)) {
      all.push_back(std::move(*speed));
    } else if (result.check == "block") {
      add_parts(result, all);
    } else if (const auto bus = figure(result.evidence, "bus_bytes_per_second"); bus && result.check == "nccl") {
      all.push_back(information(result, "nccl", largest_size(result), *bus, "B/s"));
    }
  }
  return all;
}

std::string name_of(const Speed& speed) {
  auto name = speed.test;
  if (speed.device && speed.peer) name += fmt::format(" {}-{}", *speed.device, *speed.peer);
  return speed.size.empty() ? name : name + " " + speed.size;
}

std::string against_reference(const Speed& speed) {
  constexpr double percent = 100;
  return fmt::format("{:.0f}% of {} ({})", percent * speed.value / *speed.expected, rate_text(*speed.expected, speed.unit),
                     speed.basis == "measured" ? "measured before"
                     : speed.basis == "theory" ? "theoretical"
                                               : speed.basis);
}

std::string name_with_gpu(const Speed& speed) {
  return speed.device && !speed.peer ? fmt::format("{} on GPU {}", name_of(speed), *speed.device) : name_of(speed);
}

std::vector<Curve> curves(const Report& report) {
  std::vector<Curve> all;
  for (const auto& result : report.results) {
    const auto* sizes = sizes_of(result);
    if (sizes == nullptr || !result.device) continue;
    Curve curve{result.check, *result.device, {}, {}};
    for (const auto& size : *sizes) {
      if (curve.points.size() == most_points) break;
      const auto n = figure(size, "n");
      const auto floats = figure(size, "floats");
      const auto flop = figure(size, "flop_per_second");
      const auto bytes = figure(size, "bytes_per_second");
      if (n && flop && (curve.unit.empty() || curve.unit == "FLOP/s")) {
        curve.unit = "FLOP/s";
        curve.points.push_back({*n, *flop});
      } else if (floats && bytes && (curve.unit.empty() || curve.unit == "B/s")) {
        curve.unit = "B/s";
        curve.points.push_back({*floats * sizeof(float), *bytes});
      }
    }
    std::stable_sort(curve.points.begin(), curve.points.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
    if (curve.points.size() > 1) all.push_back(std::move(curve));
  }
  return all;
}

std::vector<PeerCopy> peer_copies(const Report& report) {
  std::vector<PeerCopy> all;
  for (const auto& result : report.results) {
    const auto peer = peer_of(result);
    if (result.check != "peer" || !result.device || !peer) continue;
    all.push_back({*result.device, *peer, util::flag_member(result.evidence, "direct").value_or(false),
                   figure(result.evidence, "one_way_bytes_per_second"), figure(result.evidence, "both_ways_bytes_per_second"),
                   result.status});
  }
  return all;
}

Load load_of(const Report& report, long long device) {
  constexpr std::size_t most_reasons = 16;
  Load load;
  for (const auto& result : report.results) {
    if (result.device != device) continue;
    for (const auto* moment : {"before", "after"}) {
      const auto* state = util::member(result.evidence, moment);
      if (state == nullptr) continue;
      if (const auto degrees = figure(*state, "temperature_c"))
        load.temperature_c = std::max(load.temperature_c.value_or(0), *degrees);
      if (const auto watts = figure(*state, "power_w")) load.power_w = std::max(load.power_w.value_or(0), *watts);
      for (const auto& reason : util::texts_member(*state, "throttle_reasons")) {
        const auto shown = visible(reason, longest_label);
        auto& all = load.throttle_reasons;
        if (all.size() < most_reasons && std::find(all.begin(), all.end(), shown) == all.end()) all.push_back(shown);
      }
    }
  }
  return load;
}

std::string rate_text(double value, std::string_view unit) {
  return value >= tera ? fmt::format("{:.4g} T{}", value / tera, unit) : fmt::format("{:.4g} G{}", value / giga, unit);
}

std::string bytes_text(double bytes) {
  constexpr std::array<std::string_view, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  constexpr double kibi = 1024;
  std::size_t unit = 0;
  while (unit + 1 < units.size() && bytes >= kibi && std::fmod(bytes, kibi) == 0) {
    bytes /= kibi;
    ++unit;
  }
  return fmt::format("{:.0f} {}", bytes, units.at(unit));
}

}  // namespace envgen::reports
