#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resolver/query.hpp"

namespace envgen::resolver {

/// A requested version that nothing in the matrix has, and that a release outside of it may have: no facts speak of that one.
struct Outside {
  int value = no_value;
  std::string_view what;  ///< `torch`, `CUDA`, `torchvision`
  /// `between`: two releases of which the later one was added alone (Release::gap_before).
  enum class Side : std::uint8_t { newer, older, between };
  Side side = Side::newer;
  std::string edge;      ///< where the matrix ends, or begins; of a gap, the release before it
  std::string after;     ///< of a gap: the release after it
  bool possible = true;  ///< the release that was asked for does not stand in its way
  bool conda = false;    ///< what conda has was read at another time than what the package index has
};
std::vector<Outside> values_outside(const matrix::Matrix& matrix, const Query& query);

/// A Python that is newer than all that a listed build is for. It decides nothing: that it is beyond the data only says more than
/// what a build may have besides. None: the request names no such Python.
std::optional<Outside> python_outside(const matrix::Matrix& matrix, const Query& query);

}  // namespace envgen::resolver
