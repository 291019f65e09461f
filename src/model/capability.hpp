#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/error.hpp"
#include "model/spelled.hpp"

namespace envgen {

/// A GPU's compute capability: 8.6, 12.0.
struct Capability {
  std::uint8_t major = 0;
  std::uint8_t minor = 0;

  /// `12.0`, `sm_120`, `compute_120`, `sm120`.
  static Expected<Capability> parse(std::string_view text);
  std::string to_string() const;

  friend constexpr auto operator<=>(Capability, Capability) = default;
};

/// A target that code was compiled for: a capability, and for `9.0a` or `10.0f` the suffix that narrows where it runs.
/// 'a': that capability alone. 'f': that family alone. https://docs.nvidia.com/cuda/cuda-compiler-driver-nvcc/
struct Arch {
  Capability capability;
  char suffix = 0;

  static Expected<Arch> parse(std::string_view text);
  std::string to_string() const;

  friend constexpr auto operator<=>(Arch, Arch) = default;
};

}  // namespace envgen
