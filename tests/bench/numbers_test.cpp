#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "element.hpp"
#include "statistics.hpp"

namespace envgen::bench {
namespace {

TEST(Quantile, LiesBetweenNeighbours) {
  EXPECT_DOUBLE_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.95), 7);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

TEST(RelativeError, NeverPassesWhatIsNotANumber) {
  EXPECT_DOUBLE_EQ(relative_error({3, 4}, {3, 4}), 0);
  EXPECT_DOUBLE_EQ(relative_error({0, 0}, {3, 4}), 1);
  EXPECT_FALSE(relative_error({std::nan(""), 4}, {3, 4}) <= 1e9);
  EXPECT_FALSE(relative_error({std::numeric_limits<double>::infinity(), 4}, {3, 4}) <= 1e9);
}

TEST(Element, KnownBits) {
  EXPECT_EQ(encoded(1.0, format_fp32), 0x3f800000U);
  EXPECT_EQ(encoded(-2.5, format_fp32), 0xc0200000U);
  EXPECT_EQ(encoded(1.0, format_fp16), 0x3c00U);
  EXPECT_EQ(encoded(65504, format_fp16), 0x7bffU);
  EXPECT_EQ(encoded(std::ldexp(1.0, -24), format_fp16), 0x0001U);  // the smallest subnormal number
  EXPECT_EQ(encoded(1.0, format_bf16), 0x3f80U);
  EXPECT_EQ(encoded(1.0, format_e4m3), 0x38U);
  EXPECT_EQ(encoded(448, format_e4m3), 0x7eU);  // the largest
  EXPECT_EQ(encoded(-0.0, format_fp16), 0x8000U);
}

TEST(Element, TiesGoToEven) {
  EXPECT_EQ(decoded(encoded(1 + std::ldexp(1.0, -11), format_fp16), format_fp16), 1);
  EXPECT_EQ(decoded(encoded(1 + 3 * std::ldexp(1.0, -11), format_fp16), format_fp16), 1 + std::ldexp(1.0, -9));
  EXPECT_EQ(decoded(encoded(1.999999, format_fp16), format_fp16), 2);  // a carry raises the exponent
}

TEST(Element, EveryBitPatternComesBack) {
  for (const auto format : {format_fp16, format_bf16, format_e4m3}) {
    for (std::uint32_t bits = 0; bits < 1U << (8 * format.bytes); ++bits) {
      const double value = decoded(bits, format);
      if (!std::isfinite(value)) continue;
      ASSERT_EQ(encoded(value, format), bits) << bits;
    }
  }
  EXPECT_TRUE(std::isnan(decoded(0x7fU, format_e4m3)));
  EXPECT_TRUE(std::isinf(decoded(0x7c00U, format_fp16)));
  EXPECT_TRUE(std::isnan(decoded(0xffffffffU, format_fp32)));
}

TEST(Element, TableSpansTheIntervalWithAllBits) {
  const auto table = element_table(format_fp32);
  std::uint32_t used = 0;
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_LE(std::fabs(table.values[i]), 1);
    EXPECT_TRUE(i == 0 || table.values[i] > table.values[i - 1]);
    used |= table.bits[i];
  }
  EXPECT_EQ(used & 0x7fffffU, 0x7fffffU);
  EXPECT_EQ(table.packed().size(), 1024U);
}

}  // namespace
}  // namespace envgen::bench
