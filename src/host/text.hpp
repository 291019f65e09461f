#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.hpp"

/// Reading what the machine says, with the distrust it deserves.
namespace envgen::host {

/// `text` fit for a terminal, JSON and a message: runs of blanks and control characters become one space, ends are trimmed,
/// bytes outside ASCII become '?', and no more than `most` characters are kept.
std::string printable(std::string_view text, std::size_t most = 100);

std::string_view trimmed(std::string_view text);

/// The lines of `text` without their ends; the last need not have one.
std::vector<std::string_view> lines_of(std::string_view text);

/// The first `largest` bytes of the file at `path` (absolute) under `root`. Never waits: a pipe or a device is refused.
/// Errors (missing): `/proc/x: No such file or directory`, `/proc/x: not a regular file`; they name the path without the root.
Expected<std::string> read_text(const std::filesystem::path& root, std::string_view path, std::size_t largest = 64 * 1024);

/// The names in the folder at `path` under `root`, sorted. Errors: as read_text.
Expected<std::vector<std::string>> names_in(const std::filesystem::path& root, std::string_view path);

/// `text` as a number of at most 8 hex digits, with or without `0x`.
std::optional<std::uint32_t> parse_hex(std::string_view text);

/// `10de:2684`.
std::string pci_id_text(std::uint32_t vendor, std::uint32_t device);

/// Where a device sits on the PCI bus.
struct PciAddress {
  std::uint32_t domain = 0;
  std::uint32_t bus = 0;
  std::uint32_t device = 0;
  std::uint32_t function = 0;

  /// As Linux writes it: `0000:01:00.0`, hex; domains of more than four digits exist (Intel VMD).
  static std::optional<PciAddress> parse(std::string_view text);

  friend constexpr auto operator<=>(const PciAddress&, const PciAddress&) = default;
};

/// The names that are PCI addresses, in the order of the bus; the others are dropped.
std::vector<std::string> in_bus_order(const std::vector<std::string>& names);

}  // namespace envgen::host
