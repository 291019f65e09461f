#pragma once

#include <cstddef>
#include <cstdlib>

namespace envgen::test {

/// Some tests try so much that a run of CI takes a fixed share of it, and `scripts/test.sh --full` all, by ENVGEN_THOROUGH=1.
inline bool is_thorough() {
  return std::getenv("ENVGEN_THOROUGH") != nullptr;  // NOLINT(concurrency-mt-unsafe): before any thread
}

/// CI takes one of `share`. Where loops lie inside each other, `share` has no divisor in common with the lengths of the inner
/// ones: so each value of each loop has its turn beside each of the others.
inline std::size_t one_of(std::size_t share) { return is_thorough() ? 1 : share; }

}  // namespace envgen::test
