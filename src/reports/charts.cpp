#include "reports/charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "reports/escape.hpp"

namespace envgen::reports {
namespace {

using validate::Status;

std::string_view status_class(const Speed& speed) {
  if (!speed.expected || !speed.excuse.empty()) return "information";
  return speed.status == Status::fail ? "fail" : speed.status == Status::warn ? "warn" : "pass";
}

/// What the bar says in words, for no colour stands alone.
std::string verdict(const Speed& speed) {
  if (!speed.expected) return "no reference";
  auto text = against_reference(speed);
  if (!speed.excuse.empty()) return text + "; not compared: " + speed.excuse;
  return speed.status == Status::fail ? "✗ " + text : speed.status == Status::warn ? "⚠ " + text : "✓ " + text;
}

std::string who(const Speed& speed) {
  if (!speed.device) return "all GPUs";
  return speed.peer ? fmt::format("GPU {} to {}", *speed.device, *speed.peer) : fmt::format("GPU {}", *speed.device);
}

std::string bar(const Speed& speed, double most) {
  constexpr double width = 1000;
  constexpr int height = 18;
  const auto at = [&](double value) { return width * value / most; };
  auto svg = fmt::format(
      "<svg viewBox=\"0 0 {0:.0f} {1}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{2}\">"
      "<rect class=\"track\" width=\"{0:.0f}\" height=\"{1}\"/>"
      "<rect class=\"value {3}\" y=\"3\" width=\"{4:.1f}\" height=\"{5}\"/>",
      width, height, escape_markup(rate_text(speed.value, speed.unit) + ", " + verdict(speed)), status_class(speed),
      std::max(at(speed.value), 1.0), height - 6);
  const auto line = [&](const char* kind, double value) {
    svg += fmt::format("<line class=\"{0}\" x1=\"{1:.1f}\" x2=\"{1:.1f}\" y1=\"0\" y2=\"{2}\"/>", kind, at(value), height);
  };
  if (speed.expected) {
    if (speed.warn_below) line("threshold", *speed.expected * *speed.warn_below);
    if (speed.fail_below) line("threshold", *speed.expected * *speed.fail_below);
    line("reference", *speed.expected);
  }
  return svg + "</svg>";
}

/// 1, 2 or 5 times a power of ten: about four of them make `most`.
double step_for(double most) {
  constexpr double steps = 4;
  const double rough = most / steps;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= rough) return times * power;
  }
  return 10 * power;
}

constexpr std::size_t styles = 6;

std::string marker(std::size_t style, double x, double y) {
  const auto shape = style % styles;
  switch (shape) {
    case 0:
      return fmt::format("<circle class=\"m0\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", x, y);
    case 1:
      return fmt::format("<rect class=\"m1\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\"/>", x - 4, y - 4);
    case 2:
      return fmt::format("<path class=\"m2\" d=\"M{:.1f} {:.1f}l5 9h-10z\"/>", x, y - 5);
    case 3:
      return fmt::format("<path class=\"m3\" d=\"M{:.1f} {:.1f}l5 5-5 5-5-5z\"/>", x, y - 5);
    case 4:
      return fmt::format("<path class=\"m4\" d=\"M{:.1f} {:.1f}l5-9h-10z\"/>", x, y + 5);
    default:
      return fmt::format("<path class=\"m5\" d=\"M{:.1f} {:.1f}h8v3h-8z\"/>", x - 4, y - 1.5);
  }
}

std::string size_text(double size, bool of_n) { return of_n ? fmt::format("{:.0f}", size) : bytes_text(size); }

std::string legend(const std::vector<Series>& series) {
  std::string text = "<div class=\"legend\">";
  for (std::size_t i = 0; i < series.size(); ++i) {
    text += fmt::format(
        "<span><svg viewBox=\"0 0 38 14\" aria-hidden=\"true\"><path class=\"curve s{}\" d=\"M0 7h38\"/>{}</svg>{}</span>",
        i % styles, marker(i, 19, 7), escape_markup(series[i].name));
  }
  return text + "</div>\n";
}

std::string direction_table(const std::vector<PeerCopy>& copies, const std::set<long long>& gpus, const char* caption,
                            std::optional<double> PeerCopy::*speed) {
  double most = 0;
  for (const auto& copy : copies) most = std::max(most, (copy.*speed).value_or(0));
  auto text = fmt::format(
      "<div class=\"scroll\"><table class=\"matrix\"><caption class=\"quiet\">{}</caption><tr><th>from \\ to</th>", caption);
  for (const auto to : gpus) text += fmt::format("<th scope=\"col\">GPU {}</th>", to);
  text += "</tr>\n";
  for (const auto from : gpus) {
    text += fmt::format("<tr><th scope=\"row\">GPU {}</th>", from);
    for (const auto to : gpus) {
      const auto copy =
          std::find_if(copies.begin(), copies.end(), [&](const auto& one) { return one.from == from && one.to == to; });
      if (from == to) {
        text += "<td class=\"none\">-</td>";
      } else if (copy == copies.end() || !((*copy).*speed)) {
        text += copy != copies.end() && copy->status == Status::fail ? "<td class=\"fail\">✗ failed</td>"
                                                                     : "<td class=\"none\">skipped</td>";
      } else {
        constexpr double shades = 5;
        const auto shade = static_cast<int>(std::ceil(shades * *((*copy).*speed) / most));
        text += fmt::format("<td class=\"h{}\">{:.4g}{}</td>", std::clamp(shade, 1, 5), *((*copy).*speed) / giga,
                            copy->direct ? "" : " *");
      }
    }
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

}  // namespace

std::string bars(const std::vector<Speed>& speeds) {
  double most = 0;
  for (const auto& speed : speeds) most = std::max({most, speed.value, speed.expected.value_or(0)});
  constexpr double room = 1.02;
  std::string text;
  for (const auto& speed : speeds) {
    text += fmt::format("<div class=\"bar\"><span>{}</span>{}<span class=\"figure\">{}<br/><small>{}</small></span></div>\n",
                        escape_markup(who(speed)), bar(speed, most * room), escape_markup(rate_text(speed.value, speed.unit)),
                        escape_markup(verdict(speed)));
  }
  return text;
}

double largest(const std::vector<Series>& series) {
  double most = 0;
  for (const auto& one : series) {
    for (const auto& point : one.curve->points) most = std::max(most, point.value);
  }
  return most;
}

std::string curve_chart(const std::vector<Series>& series, double most) {
  constexpr double width = 480;
  constexpr double height = 260;
  constexpr double left = 52;
  constexpr double right = 14;
  constexpr double top = 22;
  constexpr double bottom = 40;
  std::set<double> sizes;
  for (const auto& one : series) {
    for (const auto& point : one.curve->points) sizes.insert(point.size);
  }
  most = std::max(most, largest(series));
  if (sizes.size() < 2) return {};
  const auto& unit = series.front().curve->unit;
  const bool of_n = unit == "FLOP/s";
  const double scale = most >= tera ? tera : giga;
  const double step = step_for(most / scale);
  const double ceiling = step * std::ceil(most / scale / step);
  const double least = std::log2(*sizes.begin());
  const double span = std::log2(*sizes.rbegin()) - least;
  const auto x = [&](double size) { return left + (width - left - right) * (std::log2(size) - least) / span; };
  const auto y = [&](double value) { return height - bottom - (height - top - bottom) * value / scale / ceiling; };

  auto svg =
      fmt::format("<svg class=\"chart\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"speed by size\">", width, height);
  svg += fmt::format("<text x=\"4\" y=\"13\">{}{}</text>", scale == tera ? "T" : "G", escape_markup(unit));
  for (double tick = 0; tick <= ceiling * 1.0001; tick += step) {
    svg += fmt::format(
        "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}H{2:.1f}\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5:.4g}</text>",
        left, y(tick * scale), width - right, left - 6, y(tick * scale) + 4, tick);
  }
  double written_until = 0;
  for (const auto size : sizes) {
    constexpr double room_for_label = 46;  // less than `left`, so the first one is written
    if (x(size) - written_until < room_for_label) continue;
    written_until = x(size);
    const auto* const anchor = size == *sizes.rbegin() ? "end" : "middle";
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"{}\">{}</text>", x(size), height - bottom + 17, anchor,
                       size_text(size, of_n));
  }
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>", (left + width - right) / 2, height - 6,
                     of_n ? "n of an n x n product" : "vector size in bytes");
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::string path;
    std::string points;
    for (const auto& point : series[i].curve->points) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(point.size), y(point.value));
      points += fmt::format(
          "<g><title>{}</title>{}</g>",
          escape_markup(fmt::format("{}, {}: {}", series[i].name, size_text(point.size, of_n), rate_text(point.value, unit))),
          marker(i, x(point.size), y(point.value)));
    }
    svg += fmt::format("<path class=\"curve s{}\" d=\"{}\"/>{}", i % styles, path, points);
  }
  return svg + "</svg>\n" + legend(series);
}

std::string copy_matrix(const std::vector<PeerCopy>& copies) {
  std::set<long long> gpus;
  for (const auto& copy : copies) gpus.insert({copy.from, copy.to});
  constexpr std::size_t most_gpus = 64;
  if (gpus.size() < 2 || gpus.size() > most_gpus) return {};
  auto text = "<div class=\"grid wide\">\n" + direction_table(copies, gpus, "Unidirectional, GB/s", &PeerCopy::one_way) +
              direction_table(copies, gpus, "Bidirectional, total GB/s", &PeerCopy::both_ways) + "</div>\n";
  if (std::any_of(copies.begin(), copies.end(), [](const auto& copy) { return !copy.direct && copy.one_way; }))
    text += "<p class=\"quiet\">* through the host: the driver offers no direct path.</p>\n";
  return text;
}

}  // namespace envgen::reports
