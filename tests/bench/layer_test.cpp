// A transformer layer as products of matrices: their shapes, and that they are the operations that are told.
#include "layer.hpp"

#include <string>

#include <gtest/gtest.h>

namespace envgen::bench {
namespace {

std::string text_of(const std::vector<Multiplier::Shape>& shapes) {
  std::string text;
  for (const auto& shape : shapes) {
    text += (text.empty() ? "" : ", ") + std::to_string(shape.batches) + "x " + std::to_string(shape.m) + "x" +
            std::to_string(shape.k) + (shape.transpose_a ? "' " : " ") + std::to_string(shape.k) + "x" + std::to_string(shape.n) +
            (shape.transpose_b ? "'" : "");
  }
  return text;
}

double flop_of(const std::vector<Multiplier::Shape>& shapes) {
  double sum = 0;
  for (const auto& shape : shapes) sum += 2.0 * shape.m * shape.n * shape.k * shape.batches;
  return sum;
}

constexpr LayerSize size{128, 16, 3};  // two heads of 64, 48 tokens

TEST(Layer, ItsProductsForward) {
  EXPECT_EQ(text_of(forward_products(size, LayerPart::feed_forward)), "1x 512x128 128x48, 1x 128x512 512x48");
  EXPECT_EQ(text_of(forward_products(size, LayerPart::attention)),
            "1x 128x128 128x48, 1x 128x128 128x48, 1x 128x128 128x48, 1x 128x128 128x48, 6x 16x64' 64x16, 6x 64x16 16x16");
}

TEST(Layer, ItsProductsBackward) {
  EXPECT_EQ(text_of(backward_products(size, LayerPart::feed_forward)),
            "1x 128x512' 512x48, 1x 512x48 48x128', 1x 512x128' 128x48, 1x 128x48 48x512'");
  EXPECT_EQ(backward_products(size, LayerPart::attention).size(), 12U);
}

TEST(Layer, ItsOperationsAreThoseOfItsProducts) {
  for (const auto part : {LayerPart::feed_forward, LayerPart::attention}) {
    EXPECT_EQ(flop_of(forward_products(size, part)), forward_flop(size, part));
    EXPECT_EQ(flop_of(backward_products(size, part)), 2 * forward_flop(size, part));
  }
  EXPECT_EQ(forward_flop(size, LayerPart::feed_forward), 16.0 * 3 * 16 * 128 * 128);
}

TEST(Layer, OneBufferServesAllProducts) {
  const auto feed_forward = buffers_for(size, LayerPart::feed_forward);
  EXPECT_EQ(feed_forward.a, 512U * 128);
  EXPECT_EQ(feed_forward.b, 512U * 48);
  EXPECT_EQ(feed_forward.c, 512U * 128);
  const auto attention = buffers_for({64, 32, 3}, LayerPart::attention);
  EXPECT_EQ(attention.a, 3U * 64 * 32);
  EXPECT_EQ(attention.b, 3U * 64 * 32);
  EXPECT_EQ(attention.c, 3U * 64 * 32);
}

TEST(Layer, TheSizesThatAreMeasured) {
  const auto text = [](bool small) {
    std::string all;
    for (const auto& [hidden, sequence, batch] : layer_sizes({}, small))
      all += std::to_string(hidden) + " " + std::to_string(sequence) + " " + std::to_string(batch) + ", ";
    return all;
  };
  EXPECT_EQ(text(false), "1024 128 64, 1024 512 64, 4096 512 16, ");
  EXPECT_EQ(text(true), "1024 16 2, ");
}

}  // namespace
}  // namespace envgen::bench
