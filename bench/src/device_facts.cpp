#include "device_facts.hpp"

#include <array>
#include <cstdio>

namespace envgen::bench {
namespace {

std::string uuid_text(const api::cuda::Uuid& uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
    text += digits.data();
  }
  return text;
}

}  // namespace

DeviceFacts device_facts(const Driver& driver, int ordinal) {
  DeviceFacts facts;
  facts.ordinal = ordinal;
  api::cuda::Device device = 0;
  driver.check(driver.api.cuDeviceGet(&device, ordinal), "cuDeviceGet");
  std::array<char, 256> text{};
  driver.check(driver.api.cuDeviceGetName(text.data(), static_cast<int>(text.size()) - 1, device), "cuDeviceGetName");
  facts.name = text.data();
  text = {};
  driver.check(driver.api.cuDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()) - 1, device), "cuDeviceGetPCIBusId");
  facts.pci_bus_id = text.data();
  api::cuda::Uuid uuid{};
  driver.check(driver.api.cuDeviceGetUuid(&uuid, device), "cuDeviceGetUuid");
  facts.uuid = uuid_text(uuid);
  driver.check(driver.api.cuDeviceTotalMem_v2(&facts.memory_bytes, device), "cuDeviceTotalMem");
  const auto ask = [&](int& value, api::cuda::Attribute attribute) {
    driver.check(driver.api.cuDeviceGetAttribute(&value, attribute, device), "cuDeviceGetAttribute");
  };
  ask(facts.capability_major, api::cuda::compute_capability_major);
  ask(facts.capability_minor, api::cuda::compute_capability_minor);
  ask(facts.multiprocessors, api::cuda::multiprocessor_count);
  ask(facts.clock_khz, api::cuda::clock_rate);
  ask(facts.memory_clock_khz, api::cuda::memory_clock_rate);
  ask(facts.memory_bus_bits, api::cuda::global_memory_bus_width);
  ask(facts.l2_bytes, api::cuda::l2_cache_size);
  return facts;
}

int device_count(const Driver& driver) {
  int count = 0;
  driver.check(driver.api.cuDeviceGetCount(&count), "cuDeviceGetCount");
  return count;
}

Json to_json(const DeviceFacts& device) {
  return {{"ordinal", device.ordinal},
          {"name", device.name},
          {"uuid", device.uuid},
          {"pci_bus_id", device.pci_bus_id},
          {"capability", std::to_string(device.capability_major) + "." + std::to_string(device.capability_minor)},
          {"memory_bytes", device.memory_bytes},
          {"multiprocessors", device.multiprocessors},
          {"clock_khz", device.clock_khz},
          {"memory_clock_khz", device.memory_clock_khz},
          {"memory_bus_bits", device.memory_bus_bits},
          {"l2_bytes", device.l2_bytes}};
}

}  // namespace envgen::bench
