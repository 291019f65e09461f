#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/charts.hpp"
#include "reports/escape.hpp"
#include "reports/view.hpp"
#include "reports/wording.hpp"
#include "util/template.hpp"

namespace envgen::reports {
namespace {

using util::View;
using validate::Gpu;
using validate::Report;
using validate::Result;
using validate::Status;

std::vector<View> pairs(const std::vector<std::pair<std::string, std::string>>& all) {
  std::vector<View> views;
  for (const auto& [name, value] : all)
    views.push_back(View().text("name", escape_markup(name)).text("value", escape_markup(value)));
  return views;
}

/// A list, and whether it holds anything, as `has_NAME`.
void put(View& page, const std::string& name, std::vector<View> items) {
  page.flag("has_" + name, !items.empty());
  page.list(name, std::move(items));
}
/// The same of a text.
void put(View& page, const std::string& name, const std::string& text) {
  page.flag("has_" + name, !text.empty()).text(name, text);
}

/// Templates are part of this program: one that cannot be filled is a defect, and told as such where exceptions are caught.
std::string filled(std::string_view name, const View& view) { return util::fill(name, view).value(); }

bool needs_attention(const Result& result) { return result.status != Status::pass && result.status != Status::skip; }

/// Of the results that `shown` takes.
std::string results_table(const Report& report, const char* heading, bool (*shown)(const Result&)) {
  std::vector<View> rows;
  for (const auto& result : report.results) {
    if (!shown(result)) continue;
    const auto known = result.diagnosis != nullptr;
    rows.push_back(View()
                       .text("status", std::string(name_of(result.status)))
                       .text("mark", std::string(mark(result.status)))
                       .text("check", escape_markup(name_of_row(result)))
                       .text("message", escape_markup(result.message))
                       .flag("is_known", known)
                       .text("diagnosis", known ? std::string(result.diagnosis->id) : std::string()));
  }
  auto view = View().text("heading", heading);
  put(view, "rows", std::move(rows));
  return filled("report-checks.html", view);
}

std::vector<View> diagnoses_list(const Report& report) {
  std::vector<View> views;
  for (const auto* known : diagnoses(report)) {
    views.push_back(View()
                        .text("id", std::string(known->id))
                        .text("title", escape_markup(known->title))
                        .text("cause", escape_markup(known->cause))
                        .text("fix", escape_markup(known->fix)));
    put(views.back(), "commands", escape_markup(fmt::format("{}", fmt::join(known->command_lines(), "\n"))));
  }
  return views;
}

std::string of_limit(const std::optional<double>& value, const std::optional<double>& limit, const char* unit) {
  if (!value) return "unknown";
  return limit ? fmt::format("{:g} of {:g} {}", *value, *limit, unit) : fmt::format("{:g} {}", *value, unit);
}

View gpu_panel(const Report& report, const Gpu& gpu) {
  const auto load = load_of(report, gpu.ordinal);
  const auto loaded = [](const std::optional<double>& value, const char* unit) {
    return value ? fmt::format("; up to {:g} {} during the tests", *value, unit) : std::string();
  };
  const auto reasons = [](const std::vector<std::string>& all) {
    return all.empty() ? std::string("none") : fmt::format("{}", fmt::join(all, ", "));
  };
  std::vector<std::pair<std::string, std::string>> all;
  all.emplace_back("Compute capability", gpu.capability.empty() ? "unknown" : gpu.capability);
  constexpr double gibi = 1073741824;
  all.emplace_back("Memory", gpu.memory_bytes ? fmt::format("{:.1f} GiB", *gpu.memory_bytes / gibi) : "unknown");
  all.emplace_back("Temperature", of_limit(gpu.temperature_c, {}, "°C") + loaded(load.temperature_c, "°C"));
  all.emplace_back("Power", of_limit(gpu.power_w, gpu.power_limit_w, "W") + loaded(load.power_w, "W"));
  all.emplace_back("SM clock", of_limit(gpu.sm_clock_mhz, gpu.sm_clock_max_mhz, "MHz"));
  all.emplace_back("Memory clock", of_limit(gpu.memory_clock_mhz, gpu.memory_clock_max_mhz, "MHz"));
  all.emplace_back("Throttled by", gpu.throttle_reasons ? reasons(*gpu.throttle_reasons) : "unknown");
  if (!load.throttle_reasons.empty()) all.emplace_back("Throttled during the tests by", reasons(load.throttle_reasons));
  all.emplace_back("MIG", !gpu.mig ? "unknown" : *gpu.mig ? "on" : "off");
  return View().text("ordinal", std::to_string(gpu.ordinal)).text("gpu", escape_markup(gpu.name)).list("of_gpu", pairs(all));
}

std::vector<View> speeds_list(const Report& report) {
  // One panel a test and size, in the order in which they were made. Copies between GPUs without a reference have their matrix.
  std::vector<std::pair<std::string, std::vector<Speed>>> groups;
  for (const auto& speed : speeds(report)) {
    if (speed.peer && !speed.expected) continue;
    const auto size = speed.size.empty() ? std::string() : fmt::format(" <small>{}</small>", escape_markup(speed.size));
    const auto name = escape_markup(speed.test) + size;
    auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == name; });
    if (found == groups.end()) found = groups.insert(groups.end(), {name, {}});
    found->second.push_back(speed);
  }
  std::vector<View> views;
  for (const auto& [name, all] : groups) views.push_back(View().text("name", name).text("bars", bars(all)));
  return views;
}

std::vector<View> curves_list(const Report& report) {
  const auto all = curves(report);
  std::map<long long, std::vector<Series>> products;  // by GPU, one line a precision
  std::map<std::string, std::vector<Series>> others;  // by test, one line a GPU
  for (const auto& curve : all) {
    if (curve.unit == "FLOP/s") {
      products[curve.device].push_back({curve.test, &curve});
    } else {
      others[curve.test].push_back({fmt::format("GPU {}", curve.device), &curve});
    }
  }
  std::vector<View> views;
  const auto add = [&](const std::string& name, const std::vector<Series>& series, double most) {
    const auto chart = curve_chart(series, most);
    if (!chart.empty()) views.push_back(View().text("name", escape_markup(name)).text("chart", chart));
  };
  double most = 0;
  for (const auto& [device, series] : products) most = std::max(most, largest(series));
  for (const auto& [device, series] : products) add(fmt::format("Matrix products, GPU {}", device), series, most);
  for (const auto& [test, series] : others) add(test, series, 0);
  return views;
}

std::vector<View> not_made_list(const Report& report) {
  std::vector<View> views;
  for (const auto& [reason, names] : not_made(report))
    views.push_back(
        View().text("reason", escape_markup(reason)).text("checks", escape_markup(fmt::format("{}", fmt::join(names, ", ")))));
  return views;
}

}  // namespace

std::string html(const Report& report) {
  std::vector<View> gpus;
  for (const auto& gpu : report.machine.gpus) gpus.push_back(gpu_panel(report, gpu));
  View page;
  page.text("style", filled("report.css", View()));
  page.text("program", program(report)).text("title", escape_markup(title(report)));
  page.flag("failed", report.failed()).text("verdict", report.failed() ? "fail" : "pass");
  page.text("summary", validate::summary(report)).list("facts", pairs(facts(report)));
  put(page, "notice", escape_markup(doubles_notice(report)));
  page.text("noticed", results_table(report, "What needs attention", needs_attention));
  put(page, "diagnoses", diagnoses_list(report));
  put(page, "not_made", not_made_list(report));
  put(page, "gpus", std::move(gpus));
  put(page, "speeds", speeds_list(report));
  put(page, "curves", curves_list(report));
  put(page, "copies", copy_matrix(peer_copies(report)));
  page.text("all_checks", results_table(report, "All checks", [](const Result& each) { return each.status != Status::skip; }));
  put(page, "maker", escape_markup(report.program));
  return filled("report.html", page);
}

}  // namespace envgen::reports
