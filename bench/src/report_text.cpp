#include "report_text.hpp"

#include <algorithm>
#include <cstdio>

#include "report_json.hpp"

namespace envgen::bench {
namespace {

std::string text_or(const Json& json, const char* name, const std::string& otherwise) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

void add_machine(std::string& out, const Report& report) {
  out += "driver     " + text_or(report.driver, "kernel_module", "no kernel module") + ", CUDA " +
         text_or(report.driver, "cuda", "none") + "\n";
  for (const auto& gpu : report.gpus) {
    out += "GPU " + std::to_string(gpu.at("ordinal").get<int>()) + "      " + gpu.at("name").get<std::string>() + ", " +
           gpu.at("capability").get<std::string>() + ", " +
           std::to_string(gpu.at("memory_bytes").get<unsigned long long>() >> 20) + " MiB\n";
  }
  for (const auto& library : report.libraries) {
    if (!library.at("path").is_string()) continue;
    out += padded(library.at("name").get<std::string>(), 10) + " " + text_or(library, "version", "-") + "  " +
           library.at("path").get<std::string>() + (library.at("double").get<bool>() ? "  (a test double)" : "") + "\n";
  }
  out += "\n";
}

void add_row(std::string& out, const Row& row, std::size_t width) {
  const auto device = row.device ? std::to_string(*row.device) : std::string(" ");
  out += padded(name_of(row.status), 8) + padded(row.id, width + 2) + device + "  " + row.message;
  if (row.failure && !row.failure->id.empty()) out += "  [" + row.failure->id + "]";
  out += "\n";
}

}  // namespace

std::string report_text(const Report& report, const Options& options) {
  std::string out;
  add_machine(out, report);
  std::size_t width = 0;
  for (const auto& row : report.rows) width = std::max(width, row.id.size());
  for (const auto& row : report.rows) add_row(out, row, width);
  const Json json = report_json(report, options);
  out += "\n";
  if (report.gpu_absent) out += "no GPU: the tests that need one did not run\n";
  if (report.interrupted) out += "interrupted: the tests after the last one did not run\n";
  if (report.out_of_time) out += "out of time (--total-timeout): not every test ran\n";
  if (options.scale != 1) out += "sizes were divided by " + std::to_string(options.scale) + "\n";
  const auto& summary = json.at("summary");
  const char* separator = "";
  for (const auto& [name, count] : summary.items()) {
    out += separator + std::to_string(count.get<int>()) + " " + name;
    separator = ", ";
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, " in %.1f s\n", report.seconds);
  return out + seconds;
}

}  // namespace envgen::bench
