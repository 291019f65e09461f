#pragma once

#include <cstddef>
#include <vector>

#include "matrix_product.hpp"
#include "sizes.hpp"

namespace envgen::bench {

/// A transformer layer as the products of matrices that it is made of (facts/bench.md).
struct LayerSize {
  int hidden;
  int sequence;
  int batch;
};
enum class LayerPart { feed_forward, attention };

/// The layers that are measured. `small`: one that a CPU multiplies, too.
std::vector<LayerSize> layer_sizes(const Sizes& sizes, bool small);

/// Its floating-point operations forward: feed-forward 16 b s h^2; attention 4 b s^2 h + 8 b s h^2. Backward takes twice as many.
double forward_flop(const LayerSize& size, LayerPart part);

/// Its products forward, where activations are columns: Y = W X.
std::vector<Multiplier::Shape> forward_products(const LayerSize& size, LayerPart part);
/// Its products backward, of each forward one: dX = W^T dY, and dW = dY X^T.
std::vector<Multiplier::Shape> backward_products(const LayerSize& size, LayerPart part);

/// How many elements the largest operands and the largest result of all these products have: one buffer of each serves all, for
/// no product needs another's result.
struct Buffers {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t c = 0;
};
Buffers buffers_for(const LayerSize& size, LayerPart part);

}  // namespace envgen::bench
