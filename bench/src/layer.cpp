#include "layer.hpp"

#include <algorithm>

namespace envgen::bench {
namespace {

using Shape = Multiplier::Shape;

std::size_t elements(int rows, int columns, int batches) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * static_cast<std::size_t>(batches);
}

/// To four times the width and back.
std::vector<Shape> feed_forward(const LayerSize& size) {
  const int tokens = size.batch * size.sequence;
  return {{4 * size.hidden, tokens, size.hidden}, {size.hidden, tokens, 4 * size.hidden}};
}

/// Query, key, value and output projections; scores and weighted sums, a product a head.
std::vector<Shape> attention(const LayerSize& size) {
  constexpr int head_width = 64;
  const int tokens = size.batch * size.sequence;
  const int heads = size.batch * (size.hidden / head_width);
  std::vector<Shape> shapes(4, Shape{size.hidden, tokens, size.hidden});
  shapes.push_back({size.sequence, size.sequence, head_width, true, false, heads});
  shapes.push_back({head_width, size.sequence, size.sequence, false, false, heads});
  return shapes;
}

}  // namespace

std::vector<LayerSize> layer_sizes(const Sizes& sizes, bool small) {
  const int h = sizes.block_hidden;
  if (small) return {{h, 16, 2}};  // two, so that there are products in batches
  return {{h, 128, 64}, {h, 512, 64}, {4 * h, 512, 16}};
}

double forward_flop(const LayerSize& size, LayerPart part) {
  const double b = size.batch;
  const double s = size.sequence;
  const double h = size.hidden;
  return part == LayerPart::attention ? 4 * b * s * s * h + 8 * b * s * h * h : 16 * b * s * h * h;
}

std::vector<Shape> forward_products(const LayerSize& size, LayerPart part) {
  return part == LayerPart::attention ? attention(size) : feed_forward(size);
}

std::vector<Shape> backward_products(const LayerSize& size, LayerPart part) {
  std::vector<Shape> shapes;
  for (const auto& product : forward_products(size, part)) {
    shapes.push_back({product.k, product.n, product.m, true, false, product.batches});
    shapes.push_back({product.m, product.k, product.n, false, true, product.batches});
  }
  return shapes;
}

Buffers buffers_for(const LayerSize& size, LayerPart part) {
  Buffers most;
  for (const auto& shapes : {forward_products(size, part), backward_products(size, part)}) {
    for (const auto& shape : shapes) {
      most.a = std::max(most.a, elements(shape.m, shape.k, shape.batches));
      most.b = std::max(most.b, elements(shape.k, shape.n, shape.batches));
      most.c = std::max(most.c, elements(shape.m, shape.n, shape.batches));
    }
  }
  return most;
}

}  // namespace envgen::bench
