#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "host/answer.hpp"

namespace envgen::host {

/// `10de:2684`, from the files `vendor` and `device` of /sys/bus/pci/devices/<address>; empty where they cannot be read.
std::string pci_id_at(const std::filesystem::path& root, std::string_view address);

/// NVIDIA's GPUs on the PCI bus, in its order: a machine has them before it has a driver, so there is neither name nor
/// capability. Vendor 0x10de, class 0x0300 (VGA) or 0x0302 (3D controller: boards without a display); a board's audio
/// (0x0403) and USB functions are left out. Format: Documentation/ABI/testing/sysfs-bus-pci of the kernel, classes: pci.ids.
Answer ask_pci(const std::filesystem::path& root);

}  // namespace envgen::host
