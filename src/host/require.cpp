#include "host/require.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

namespace envgen::host {
namespace {

std::string with_what_was_tried(std::string message, const Report& report) {
  message += report.tried.empty() ? "; there was nothing to ask" : "; tried:";
  for (const auto& line : report.tried) message += "\n  " + line;
  return message;
}

std::string described(const Gpu& gpu) { return fmt::format("{} ({})", gpu.name.empty() ? gpu.pci_id : gpu.name, gpu.origin); }

std::string where_drivers_come_from(const Report& report) {
  if (report.wsl) return "install NVIDIA's driver in Windows; never a Linux driver inside WSL 2";
  return "install the driver: https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/";
}

}  // namespace

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
  if (report.driver) {
    message += fmt::format(", although it has driver {} ({})", *report.driver, report.driver_origin);
  }
  return fail(ErrorCode::missing, with_what_was_tried(std::move(message), report), where,
              {"name the GPU of the machine that will run this, as in --gpu 'RTX 4090' (`envgen list gpus` shows the names)"});
}

}  // namespace envgen::host
