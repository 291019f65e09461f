#pragma once

#include <string>
#include <vector>

namespace envgen::validate {

/// What the engine's machine holds in its IPC namespace and in /dev/shm: a word that nobody can guess. envgen-bench is told the
/// places and the first half, and its report has to bring back the second, so that one that was forged proves nothing.
struct HeldIpc {
  std::vector<std::string> bench_flags;  ///< empty: nothing is held
  std::string secret;                    ///< the second half; empty: nothing is held
};

/// Half of the hexadecimal digits of the word.
inline constexpr std::size_t half_a_word = 16;

}  // namespace envgen::validate
