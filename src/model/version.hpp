#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/error.hpp"
#include "model/spelled.hpp"

namespace envgen {

/// A release number of one to four parts, each 0 to 65535: `2.3.1`, `12.1`, `8.9.2.26`.
/// Compared as PEP 440 compares release segments: missing parts count as zero, so 2.3 == 2.3.0.
class Version {
 public:
  static constexpr int max_parts = 4;

  constexpr Version() = default;
  constexpr Version(std::uint16_t a) : key_(shift(a, 0)), count_(1) {}
  constexpr Version(std::uint16_t a, std::uint16_t b) : key_(shift(a, 0) | shift(b, 1)), count_(2) {}
  constexpr Version(std::uint16_t a, std::uint16_t b, std::uint16_t c)
      : key_(shift(a, 0) | shift(b, 1) | shift(c, 2)), count_(3) {}
  constexpr Version(std::uint16_t a, std::uint16_t b, std::uint16_t c, std::uint16_t d)
      : key_(shift(a, 0) | shift(b, 1) | shift(c, 2) | shift(d, 3)), count_(4) {}

  /// Digits and dots only. Errors say what stands in the way (a letter, an empty part, a part above 65535).
  static Expected<Version> parse(std::string_view text);

  /// False for the default-constructed value, which stands for "none".
  constexpr explicit operator bool() const { return count_ != 0; }
  constexpr int count() const { return static_cast<int>(count_); }
  constexpr std::uint16_t part(int index) const { return static_cast<std::uint16_t>(key_ >> (48 - 16 * index)); }
  constexpr std::uint16_t major() const { return part(0); }
  constexpr std::uint16_t minor() const { return part(1); }

  /// The first `parts` parts, zero-filled where there are fewer: 12.1.1 at 2 is 12.1.
  constexpr Version at(int parts) const {
    Version v;
    v.key_ = parts >= max_parts ? key_ : key_ & ~(~std::uint64_t{0} >> (16 * parts));
    v.count_ = static_cast<std::uint64_t>(parts);
    return v;
  }
  /// The largest number that begins with these parts: 12.1.65535.65535 for 12.1.
  constexpr Version last_under() const {
    Version v = *this;
    for (int index = count(); index < max_parts; ++index) v.key_ |= shift(65535, index);
    v.count_ = max_parts;
    return v;
  }
  /// The number that follows in the order of all numbers of four parts; after the last of them comes 0.0.0.0.
  constexpr Version next() const {
    Version v;
    v.key_ = key_ + 1;
    v.count_ = max_parts;
    return v;
  }
  /// True when this version lies under `prefix`: 2.3.1 under 2.3.
  constexpr bool under(Version prefix) const { return at(prefix.count()).key_ == prefix.key_; }

  std::string to_string() const;

  friend constexpr bool operator==(Version a, Version b) { return a.key_ == b.key_; }
  friend constexpr std::strong_ordering operator<=>(Version a, Version b) { return a.key_ <=> b.key_; }

 private:
  static constexpr std::uint64_t shift(std::uint16_t part, int index) {
    return static_cast<std::uint64_t>(part) << (48 - 16 * index);
  }

  std::uint64_t key_ = 0;
  std::uint64_t count_ = 0;  // as wide as the key: no padding, for versions are compared as bytes in the packed matrix
};

/// A driver release, `535.183.01`. Its own type because it prints with two digits a part and because a driver
/// must never be compared with a CUDA version by accident.
class DriverVersion {
 public:
  constexpr DriverVersion() = default;
  constexpr explicit DriverVersion(Version version) : version_(version) {}
  static Expected<DriverVersion> parse(std::string_view text);

  constexpr explicit operator bool() const { return static_cast<bool>(version_); }
  constexpr std::uint16_t branch() const { return version_.major(); }
  constexpr Version version() const { return version_; }
  std::string to_string() const;

  friend constexpr bool operator==(DriverVersion, DriverVersion) = default;
  friend constexpr std::strong_ordering operator<=>(DriverVersion a, DriverVersion b) { return a.version_ <=> b.version_; }

 private:
  Version version_;
};

}  // namespace envgen
