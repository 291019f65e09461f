#pragma once

#include <string>

#include "element.hpp"
#include "matrix_product.hpp"
#include "session.hpp"

namespace envgen::bench {

/// What a product is held against.
struct Operands {
  unsigned seed_a = 0;
  unsigned seed_b = 0;
};

/// What a verified product was found to be.
struct Verified {
  double error = 0;  ///< ||found - expected|| / ||expected||
  double bound = 0;
  unsigned long long compared = 0;  ///< elements
};

/// Holds C at `c` against float64 on the GPU (kernel compare_product): every element where that takes `most_products` or fewer
/// (0: however many it takes), else every element of some tiles, and of the others that it is a number of possible size.
/// Throws TestFailed; `what` begins its message.
///
/// The GPU's float64 is not believed either. Where every element was compared, x' R y is computed of the GPU's reference R while
/// it is made, and on the CPU as (A' x)' (B y) from the seeds, for random signs x and y (R. Freivalds, "Probabilistic Machines
/// Can Use Less Running Time", IFIP 1977): one element of R that is off by more than `reference_bound` sqrt(m n) times the
/// elements' root mean square is seen.
Verified verify_product(const Session& session, const Precision& precision, const Multiplier::Shape& shape,
                        const Operands& operands, api::cuda::DevicePointer c, double most_products, const std::string& what);

/// Rounding in float64 leaves some 1e-13; with sums of float32 it is some 2e-8.
inline constexpr double reference_bound = 5e-9;

}  // namespace envgen::bench
