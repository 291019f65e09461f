#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/charts.hpp"
#include "report/escape.hpp"
#include "report/html_style.hpp"
#include "report/view.hpp"
#include "report/wording.hpp"

namespace envgen::report {
namespace {

using validate::Gpu;
using validate::Report;
using validate::Result;
using validate::Status;

std::string pairs(const std::vector<std::pair<std::string, std::string>>& all) {
  std::string text = "<dl>\n";
  for (const auto& [name, value] : all)
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_markup(name), escape_markup(value));
  return text + "</dl>\n";
}

std::string head(const Report& report) {
  auto text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
      "form-action 'none'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<meta name=\"color-scheme\" content=\"light "
      "dark\"/>\n"
      "<title>{0}: {1}</title>\n<style>{2}</style>\n</head>\n<body>\n<header>\n<h1>{1}</h1>\n",
      program(report), escape_markup(title(report)), html_style);
  text += fmt::format("<p class=\"verdict {}\">{}: {}</p>\n", report.failed() ? "fail" : "pass",
                      report.failed() ? "✗ failed" : "✓ nothing failed", validate::summary(report));
  if (const auto notice = doubles_notice(report); !notice.empty())
    text += fmt::format("<p class=\"notice\" role=\"alert\">⚠ {}</p>\n", escape_markup(notice));
  return text + pairs(facts(report)) + "</header>\n<main>\n";
}

bool wants_a_look(const Result& result) { return result.status != Status::pass && result.status != Status::skip; }

/// Of the results that `shown` takes.
std::string results_table(const Report& report, const char* heading, bool (*shown)(const Result&)) {
  std::string rows;
  for (const auto& result : report.results) {
    if (!shown(result)) continue;
    rows += fmt::format("<tr><td class=\"status {}\">{}</td><td><code>{}</code></td><td>{}", name_of(result.status),
                        mark(result.status), escape_markup(name_of_row(result)), escape_markup(result.message));
    if (result.diagnosis != nullptr) rows += fmt::format(" <a href=\"#{0}\">{0}</a>", result.diagnosis->id);
    rows += "</td></tr>\n";
  }
  if (rows.empty()) return rows;
  return fmt::format(
      "<section>\n<h2>{}</h2>\n<table class=\"checks\"><thead><tr><th>Verdict</th><th>Check</th><th>What was "
      "seen</th></tr></thead>\n"
      "<tbody>\n{}</tbody></table>\n</section>\n",
      heading, rows);
}

std::string diagnoses_list(const Report& report) {
  std::string text;
  for (const auto* known : diagnoses(report)) {
    text += fmt::format(
        "<article id=\"{}\">\n<h3>{} <small>{}</small></h3>\n<dl><dt>Cause</dt><dd>{}</dd><dt>Fix</dt><dd>{}</dd></dl>\n",
        known->id, escape_markup(known->title), known->id, escape_markup(known->cause), escape_markup(known->fix));
    if (const auto commands = known->command_lines(); !commands.empty())
      text += fmt::format("<pre>{}</pre>\n", escape_markup(fmt::format("{}", fmt::join(commands, "\n"))));
    text += "</article>\n";
  }
  return text.empty() ? text : "<section>\n<h2>What mends it</h2>\n" + text + "</section>\n";
}

std::string of_limit(const std::optional<double>& value, const std::optional<double>& limit, const char* unit) {
  if (!value) return "not told";
  return limit ? fmt::format("{:g} of {:g} {}", *value, *limit, unit) : fmt::format("{:g} {}", *value, unit);
}

std::string gpu_panel(const Report& report, const Gpu& gpu) {
  const auto load = load_of(report, gpu.ordinal);
  const auto loaded = [](const std::optional<double>& value, const char* unit) {
    return value ? fmt::format("; up to {:g} {} in the tests", *value, unit) : std::string();
  };
  const auto reasons = [](const std::vector<std::string>& all) {
    return all.empty() ? std::string("none") : fmt::format("{}", fmt::join(all, ", "));
  };
  std::vector<std::pair<std::string, std::string>> all;
  all.emplace_back("Capability", gpu.capability.empty() ? "not told" : gpu.capability);
  constexpr double gibi = 1073741824;
  all.emplace_back("Memory", gpu.memory_bytes ? fmt::format("{:.1f} GiB", *gpu.memory_bytes / gibi) : "not told");
  all.emplace_back("Temperature", of_limit(gpu.temperature_c, {}, "°C") + loaded(load.temperature_c, "°C"));
  all.emplace_back("Power", of_limit(gpu.power_w, gpu.power_limit_w, "W") + loaded(load.power_w, "W"));
  all.emplace_back("SM clock", of_limit(gpu.sm_clock_mhz, gpu.sm_clock_max_mhz, "MHz"));
  all.emplace_back("Memory clock", of_limit(gpu.memory_clock_mhz, gpu.memory_clock_max_mhz, "MHz"));
  all.emplace_back("Throttled by", gpu.throttle_reasons ? reasons(*gpu.throttle_reasons) : "not told");
  if (!load.throttle_reasons.empty()) all.emplace_back("In the tests by", reasons(load.throttle_reasons));
  all.emplace_back("MIG", !gpu.mig ? "not told" : *gpu.mig ? "on" : "off");
  return fmt::format("<div class=\"panel\">\n<h3>GPU {}: {}</h3>\n{}</div>\n", gpu.ordinal, escape_markup(gpu.name), pairs(all));
}

std::string gpus_section(const Report& report) {
  if (report.machine.gpus.empty()) return {};
  std::string text = "<section>\n<h2>GPUs</h2>\n<div class=\"grid\">\n";
  for (const auto& gpu : report.machine.gpus) text += gpu_panel(report, gpu);
  return text + "</div>\n</section>\n";
}

std::string speeds_section(const Report& report) {
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
  if (groups.empty()) return {};
  std::string text =
      "<section>\n<h2>Speeds</h2>\n<p class=\"quiet\">The thick line is the reference for that GPU; the dashed lines are where a "
      "speed is warned of, and where it fails.</p>\n<div class=\"grid wide\">\n";
  for (const auto& [name, all] : groups) text += fmt::format("<div class=\"panel\">\n<h3>{}</h3>\n{}</div>\n", name, bars(all));
  return text + "</div>\n</section>\n";
}

std::string curves_section(const Report& report) {
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
  std::string text;
  const auto add = [&](const std::string& name, const std::vector<Series>& series, double most) {
    const auto chart = curve_chart(series, most);
    if (!chart.empty()) text += fmt::format("<figure class=\"panel\">\n<h3>{}</h3>\n{}</figure>\n", escape_markup(name), chart);
  };
  double most = 0;
  for (const auto& [device, series] : products) most = std::max(most, largest(series));
  for (const auto& [device, series] : products) add(fmt::format("Matrix products, GPU {}", device), series, most);
  for (const auto& [test, series] : others) add(test, series, 0);
  return text.empty() ? text : "<section>\n<h2>Speed by size</h2>\n<div class=\"grid wide\">\n" + text + "</div>\n</section>\n";
}

std::string not_made_list(const Report& report) {
  std::string text;
  for (const auto& [reason, names] : not_made(report))
    text += fmt::format("<li>{}: <code>{}</code></li>\n", escape_markup(reason),
                        escape_markup(fmt::format("{}", fmt::join(names, ", "))));
  return text.empty() ? text : "<section>\n<h2>Not made</h2>\n<ul>\n" + text + "</ul>\n</section>\n";
}

}  // namespace

std::string html(const Report& report) {
  auto text = head(report) + results_table(report, "What wants a look", wants_a_look) + diagnoses_list(report) +
              not_made_list(report) + gpus_section(report) + speeds_section(report) + curves_section(report);
  if (const auto matrix = copy_matrix(peer_copies(report)); !matrix.empty())
    text += "<section>\n<h2>Copies between GPUs</h2>\n" + matrix + "</section>\n";
  text += results_table(report, "All checks", [](const Result& result) { return result.status != Status::skip; });
  text += "</main>\n<footer>";
  if (!report.program.empty()) text += fmt::format("Made by {}. ", escape_markup(report.program));
  return text + "This page loads nothing and runs no script.</footer>\n</body>\n</html>\n";
}

}  // namespace envgen::report
