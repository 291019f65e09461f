#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "element.hpp"
#include "matrix_product.hpp"
#include "product_check.hpp"
#include "statistics.hpp"
#include "tolerance.hpp"

namespace envgen::bench {
namespace {

TEST(Quantile, LiesBetweenNeighbours) {
  EXPECT_DOUBLE_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.95), 7);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  std::vector<double> one{7, std::nan("")};
  one.pop_back();
  EXPECT_EQ(quantile(std::move(one), 1), 7);  // whatever lies behind the last
}

/// With the figures that the header derives them from, written out: whoever changes a tolerance changes it here too.
TEST(Tolerance, OfEachWayToMultiply) {
  const auto norm = [](const char* name, int n) {
    const auto& each = precision(name);
    return tolerance(each.rounding, each.out, n, 1.0 / 3).norm;
  };
  EXPECT_NEAR(norm("fp32", 128), 1.41e-6, 0.01e-6);
  EXPECT_NEAR(norm("fp32", 8192), 1.085e-5, 0.001e-5);
  EXPECT_NEAR(norm("tf32", 8192), 9.98e-4, 0.01e-4);
  EXPECT_NEAR(norm("fp16", 8192), 5.10e-4, 0.01e-4);
  EXPECT_NEAR(norm("bf16", 8192), 3.93e-3, 0.01e-3);
  EXPECT_NEAR(norm("fp8", 8192), 7.81e-3, 0.01e-3);
  EXPECT_NEAR(norm("fp8", 16), 4.15e-3, 0.01e-3);  // one addition takes all 16
}

TEST(Tolerance, OfOneElement) {
  const auto& bf16 = precision("bf16");
  const auto of = tolerance(bf16.rounding, bf16.out, 8192, 1.0 / 3);
  EXPECT_EQ(of.relative, 1.0 / 256);
  EXPECT_NEAR(of.size, 30.17, 0.01);
  EXPECT_DOUBLE_EQ(of.most, 8 * of.size);
  EXPECT_NEAR(of.slack, 8 * 2.158e-5 * of.size, 1e-6);
}

TEST(Widened, AsTheFormatsSay) {
  for (const auto& [format, bits_of_format] : {std::pair{format_fp16, result_fp16}, std::pair{format_bf16, result_bf16}}) {
    for (std::uint32_t bits = 0; bits < 1U << 16U; ++bits) {
      const double expected = decoded(bits, format);
      const auto found = static_cast<double>(widened(bits, static_cast<unsigned>(bits_of_format)));
      ASSERT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected))) << bits;
    }
  }
  EXPECT_EQ(widened(encoded(-2.5, format_fp32), result_fp32), -2.5F);
  EXPECT_TRUE(std::isnan(widened(0xffffffffU, result_fp32)));
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
  // e4m3 has no infinity, and one NaN of each sign.
  for (const auto& [format, numbers] :
       {std::pair{format_fp16, 63488}, std::pair{format_bf16, 65280}, std::pair{format_e4m3, 254}}) {
    int finite = 0;
    for (std::uint32_t bits = 0; bits < 1U << (8 * format.bytes); ++bits) {
      const double value = decoded(bits, format);
      if (!std::isfinite(value)) continue;
      ++finite;
      ASSERT_EQ(encoded(value, format), bits) << bits;
    }
    EXPECT_EQ(finite, numbers);
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
