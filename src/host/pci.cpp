#include "host/source_report.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "host/text.hpp"

namespace envgen::host {
namespace {

constexpr std::string_view devices_folder = "/sys/bus/pci/devices";
constexpr std::uint32_t nvidia = 0x10de;
constexpr std::uint32_t vga = 0x0300;
constexpr std::uint32_t controller_3d = 0x0302;

std::optional<std::uint32_t> number_in(const std::filesystem::path& root, std::string_view address, std::string_view file) {
  const auto text = read_text(root, fmt::format("{}/{}/{}", devices_folder, address, file));
  return text ? parse_hex(trimmed(*text)) : std::nullopt;
}

}  // namespace

std::string pci_id_at(const std::filesystem::path& root, std::string_view address) {
  const auto vendor = number_in(root, address, "vendor");
  const auto device = number_in(root, address, "device");
  constexpr std::uint32_t largest = 0xffff;
  if (!vendor || !device || *vendor > largest || *device > largest) return {};
  return pci_id_text(*vendor, *device);
}

SourceReport ask_pci(const std::filesystem::path& root) {
  SourceReport answer;
  const auto names = names_in(root, devices_folder);
  if (!names) {
    answer.notes.push_back(names.error().message);
    return answer;
  }
  for (const auto& address : in_bus_order(*names)) {
    if (answer.gpus.size() == most_gpus) break;
    if (number_in(root, address, "vendor") != nvidia) continue;
    // Three bytes: class, subclass, programming interface.
    const auto device_class = number_in(root, address, "class").value_or(0) >> 8u;
    if (device_class != vga && device_class != controller_3d) continue;
    Gpu gpu;
    gpu.origin = fmt::format("{}/{}", devices_folder, address);
    gpu.pci_id = pci_id_at(root, address);
    if (identified(gpu)) {
      answer.gpus.push_back(std::move(gpu));
    } else {
      answer.notes.push_back(gpu.origin + ": an NVIDIA GPU without a readable device id");
    }
  }
  answer.notes.push_back(fmt::format("{}: {} from NVIDIA", devices_folder, gpu_count(answer.gpus.size())));
  return answer;
}

}  // namespace envgen::host
