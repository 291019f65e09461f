#pragma once

#include <cstddef>
#include <cstdlib>

namespace envgen::test {

/// Some tests try so much that a run of CI takes one of `share`, and `scripts/test.sh --full` all, by ENVGEN_THOROUGH=1. Where
/// loops lie inside each other, `share` has no divisor in common with the lengths of the inner ones: so each value of each loop
/// has its turn beside each of the others.
inline std::size_t one_of(std::size_t share) {
  return std::getenv("ENVGEN_THOROUGH") != nullptr ? 1 : share;  // NOLINT(concurrency-mt-unsafe): before any thread
}

}  // namespace envgen::test
