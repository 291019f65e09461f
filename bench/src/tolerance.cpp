#include "tolerance.hpp"

#include <cmath>

namespace envgen::bench {

Tolerance tolerance(const Rounding& rounding, ElementFormat result, int k, double mean_square) {
  constexpr double margin = 2;
  constexpr double deviations = 8;
  const double additions = std::ceil(static_cast<double>(k) / rounding.sum_products);
  const double on_the_way = 2 * rounding.input + margin * std::sqrt(additions) * rounding.sum;
  const double of_the_result = std::ldexp(1.0, -(result.mantissa_bits + 1));
  const double size = std::sqrt(static_cast<double>(k)) * mean_square;
  return {of_the_result + on_the_way, of_the_result, deviations * on_the_way * size, size, deviations * size};
}

}  // namespace envgen::bench
