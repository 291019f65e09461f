#pragma once

#include "element.hpp"

namespace envgen::bench {

/// How a way to multiply rounds; a rounding unit is the most that one rounding changes a value by, as a part of it.
struct Rounding {
  double input = 0;      ///< of the elements, before they are multiplied; 0: they are taken as they are
  double sum = 0;        ///< of each addition
  int sum_products = 1;  ///< products that one addition takes
};

/// 24 bits, to the nearest: IEEE 754 binary32.
inline constexpr double unit_fp32 = 1.0 / (1 << 24);
/// Tensor cores add to 24 bits and cut off the rest: Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor
/// cores", PeerJ Computer Science 7:e330 (2021).
inline constexpr double unit_tensor_cores = 1.0 / (1 << 23);
/// TF32 keeps 10 bits after the point. Simulated, products of elements that are rounded to them are off by 2.6e-4 of their norm,
/// of elements that are cut off there by 6.9e-4: twice this unit covers both.
inline constexpr double unit_tf32 = 1.0 / (1 << 11);
/// Hopper's tensor cores keep some 14 bits of a sum of fp8 products (DeepSeek-V3 Technical Report, arXiv 2412.19437, 3.3.2), and
/// take 32 products at a time (PTX ISA, wgmma: k is 32 for e4m3).
inline constexpr double unit_fp8_sums = 1.0 / (1 << 13);
inline constexpr int fp8_products = 32;

/// How far a product may be from float64's, of elements whose signs are random and whose mean square is known.
struct Tolerance {
  /// ||found - expected|| / ||expected||, all elements together: unit(result) + 2 input + 2 sqrt(k / sum_products) sum.
  /// The first: each element is rounded to the result's format once. The second: (1 + input)^2 - 1 of each product. The third:
  /// Ipsen and Zhou, "Probabilistic Error Analysis for Inner Products" (SIAM J. Matrix Anal. Appl. 41, 2020; arXiv 1906.10465):
  /// the error of a sum of k terms grows as sqrt(k) and not as k; 2 is our margin.
  double norm = 0;
  /// One element is right where |found - expected| <= relative |expected| + slack: relative is the rounding of the result, slack
  /// eight times the other two terms of `norm`, as parts of the elements' root mean square, sqrt(k) mean_square. Of 8192^2
  /// elements whose errors are distributed normally the largest lies at 5.7 standard deviations.
  double relative = 0;
  double slack = 0;
  double size = 0;  ///< the elements' root mean square
  double most = 0;  ///< no element is larger: eight times that
};

Tolerance tolerance(const Rounding& rounding, ElementFormat result, int k, double mean_square);

}  // namespace envgen::bench
