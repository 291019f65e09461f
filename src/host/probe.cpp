#include "host/probe.hpp"

#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "host/machine.hpp"
#include "host/source_report.hpp"

namespace envgen::host {
namespace {

constexpr std::string_view wsl_folder = "/usr/lib/wsl/lib";

/// Takes from `answer` what the sources before it left open.
void take(SourceReport answer, Report& report) {
  if (!report.driver && answer.driver) {
    report.driver = answer.driver;
    report.driver_origin = std::move(answer.driver_origin);
  }
  if (report.gpus.empty()) report.gpus = std::move(answer.gpus);
  std::move(answer.notes.begin(), answer.notes.end(), std::back_inserter(report.tried));
}

bool complete(const Report& report) { return report.driver && !report.gpus.empty(); }

void ask_every_nvml(const Sources& sources, Report& report) {
  for (const auto& library : sources.nvml_libraries) {
    // Outside WSL that folder is not there; a line about it would only puzzle.
    if (!report.wsl && library.starts_with(wsl_folder)) continue;
    take(ask_nvml(library), report);
    if (report.driver || !report.gpus.empty()) return;
  }
}

void ask_every_smi(const Sources& sources, Report& report) {
  if (sources.nvidia_smi.empty()) return;
  take(ask_smi(sources.nvidia_smi), report);
  if (complete(report) || !report.wsl || sources.nvidia_smi.find('/') != std::string::npos) return;
  // Windows puts it here, which is not on every distribution's PATH.
  const auto path = sources.root / std::filesystem::path(wsl_folder).relative_path() / "nvidia-smi";
  std::error_code error;
  if (std::filesystem::exists(path, error)) take(ask_smi(path.string()), report);
}

std::string with_what_was_tried(std::string message, const Report& report) {
  message += report.tried.empty() ? "; there was nothing to query" : "; tried:";
  for (const auto& line : report.tried) message += "\n  " + line;
  return message;
}

std::string described(const Gpu& gpu) { return fmt::format("{} ({})", gpu.name.empty() ? gpu.pci_id : gpu.name, gpu.origin); }

std::string where_drivers_come_from(const Report& report) {
  if (report.wsl) return "install the NVIDIA driver in Windows, never a Linux driver inside WSL 2";
  return "install the driver: https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/";
}

}  // namespace

std::string gpu_count(std::size_t count) {
  if (count == 0) return "no GPU";
  return count == 1 ? "1 GPU" : fmt::format("{} GPUs", count);
}

Report probe(const Sources& sources) {
  Report report;
  describe_machine(sources, report);
  report.kernel_module = kernel_module_of(sources.root);
  ask_every_nvml(sources, report);
  if (!complete(report)) take(ask_proc(sources.root), report);
  if (!complete(report)) ask_every_smi(sources, report);
  if (report.gpus.empty()) take(ask_pci(sources.root), report);
  if (report.driver && report.wsl) report.driver_origin += ", the Windows driver that WSL 2 shares";
  if (report.driver && report.tegra)
    report.driver_origin += ", a Tegra driver: its version is comparable only with those of other Tegra drivers";
  return report;
}

Expected<DriverVersion> require_driver(const Report& report, const std::string& where) {
  if (report.driver) return *report.driver;
  std::string message = "no NVIDIA driver found on this machine";
  if (!report.gpus.empty()) message += ", although it has a GPU: " + described(report.gpus.front());
  return fail(ErrorCode::missing, with_what_was_tried(std::move(message), report), where,
              {"name the driver of the machine that will run this, as in --driver 550.54.14", where_drivers_come_from(report)});
}

Expected<std::vector<Gpu>> require_gpus(const Report& report, const std::string& where) {
  if (!report.gpus.empty()) return report.gpus;
  std::string message = "no NVIDIA GPU found on this machine";
  if (report.driver) message += fmt::format(", although it has driver {} ({})", *report.driver, report.driver_origin);
  return fail(ErrorCode::missing, with_what_was_tried(std::move(message), report), where,
              {"name the GPU of the machine that will run this, as in --gpu 'RTX 4090' ('envgen list gpus' shows the names)"});
}

}  // namespace envgen::host
