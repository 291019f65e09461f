#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.hpp"
#include "model/version.hpp"

namespace envgen {

/// A CPython 3 minor, free-threaded (`3.13t`) or not. Only Python 3 is known here.
struct PythonVersion {
  std::uint8_t minor = 0;
  bool free_threaded = false;

  /// `3.12`, `3.13t`, `cp312`, `cp313t`.
  static Expected<PythonVersion> parse(std::string_view text);
  std::string to_string() const;
  constexpr Version version() const { return Version(3, minor); }

  friend constexpr auto operator<=>(PythonVersion, PythonVersion) = default;
};

/// The oldest Python that uv installs: `uv python list --all-versions` of uv 0.13.9 begins there.
inline constexpr PythonVersion oldest_of_uv{8, false};

/// A set of Pythons in one word, so that the search can intersect them for nothing.
class PythonSet {
 public:
  /// The newest that a set can hold: one that has it is open at its end.
  static constexpr int max_minor = 31;

  constexpr PythonSet() = default;
  constexpr explicit PythonSet(std::uint64_t bits) : bits_(bits) {}
  static constexpr PythonSet all() { return PythonSet(~std::uint64_t{0}); }
  /// Every Python that is not free-threaded.
  static constexpr PythonSet regular() { return PythonSet(0xFFFFFFFFu); }

  constexpr void add(PythonVersion python) { bits_ |= bit(python); }
  constexpr bool contains(PythonVersion python) const { return (bits_ & bit(python)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::uint64_t bits() const { return bits_; }
  constexpr int size() const { return std::popcount(bits_); }

  /// Ascending; each free-threaded build follows its regular twin.
  std::vector<PythonVersion> list() const;
  /// The newest regular Python of the set, or the newest free-threaded one where there is no other. Not for an empty set.
  PythonVersion newest() const;

  friend constexpr PythonSet operator&(PythonSet a, PythonSet b) { return PythonSet(a.bits_ & b.bits_); }
  friend constexpr PythonSet operator|(PythonSet a, PythonSet b) { return PythonSet(a.bits_ | b.bits_); }
  friend constexpr bool operator==(PythonSet, PythonSet) = default;

 private:
  static constexpr std::uint64_t bit(PythonVersion python) {
    if (python.minor > max_minor) return 0;
    return std::uint64_t{1} << (python.minor + (python.free_threaded ? 32 : 0));
  }
  std::uint64_t bits_ = 0;
};

}  // namespace envgen
