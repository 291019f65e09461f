#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver.hpp"
#include "json.hpp"

namespace envgen::bench {

/// What the driver says of one GPU.
struct DeviceFacts {
  int ordinal = 0;
  std::string name;
  std::string uuid;        ///< `GPU-` and 8-4-4-4-12 hexadecimal digits
  std::string pci_bus_id;  ///< `0000:17:00.0`
  int capability_major = 0;
  int capability_minor = 0;
  std::size_t memory_bytes = 0;
  int multiprocessors = 0;
  int clock_khz = 0;
  int memory_clock_khz = 0;
  int memory_bus_bits = 0;
  int l2_bytes = 0;

  int capability() const { return capability_major * 10 + capability_minor; }
};

/// Throws TestFailed for a device that does not answer.
DeviceFacts device_facts(const Driver& driver, int ordinal);
int device_count(const Driver& driver);

Json to_json(const DeviceFacts& device);

}  // namespace envgen::bench
