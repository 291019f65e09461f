#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/capability.hpp"
#include "model/error.hpp"

namespace envgen::inspect {

inline constexpr std::string_view sass_prefix = "sm_";
inline constexpr std::string_view ptx_prefix = "compute_";

/// What code for GPUs was compiled for, ascending, each once.
struct Targets {
  std::vector<Arch> sass;  ///< machine code
  std::vector<Arch> ptx;   ///< what a driver compiles for newer GPUs

  bool empty() const { return sass.empty() && ptx.empty(); }
  void add(const Targets& other);
  std::vector<std::string> sass_names() const;  ///< `sm_90a`
  std::vector<std::string> ptx_names() const;   ///< `compute_90a`
  /// All of them, `sm_70 sm_90a compute_120`.
  std::string to_string() const;

  friend bool operator==(const Targets&, const Targets&) = default;
};

/// Those that more than half of them have.
Targets of_most(std::span<const Targets* const> all);

/// Those of `whole` that `from` lacks.
Targets missing(const Targets& from, const Targets& whole);

/// Of such words, with a space between. Errors (bad_input): a word is neither `sm_XY` nor `compute_XY`.
Expected<Targets> parse_targets(std::string_view words);

}  // namespace envgen::inspect
