#pragma once

// What the kernels compute and the host computes again: included by the .cu files, by the program and by the double of libcuda.
#ifdef __CUDA__
#define ENVGEN_ON_BOTH __attribute__((host)) __attribute__((device))
#else
#define ENVGEN_ON_BOTH
#endif

namespace envgen::bench {

/// The finalising function of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
ENVGEN_ON_BOTH constexpr unsigned long long mixed(unsigned long long value) {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

inline constexpr unsigned long long golden_gamma = 0x9e3779b97f4a7c15ULL;  // of the same paper

/// The word at `index` of the sequence that `seed` begins: no word depends on another, so every thread makes its own.
ENVGEN_ON_BOTH constexpr unsigned generated_word(unsigned seed, unsigned long long index) {
  return static_cast<unsigned>(mixed((static_cast<unsigned long long>(seed) << 32U) + (index + 1) * golden_gamma) >> 32U);
}

/// What one word adds to the digest of a buffer. The digest is the sum, so threads may add in any order; a word that is wrong,
/// lost or at another place changes it.
ENVGEN_ON_BOTH constexpr unsigned long long digest_part(unsigned word, unsigned long long index) {
  return mixed((index + 1) * golden_gamma + word);
}

}  // namespace envgen::bench
