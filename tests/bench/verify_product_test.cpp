// A product with an element spoiled here and there, on the double of libcuda: which are seen.
#include "verify_product.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failure.hpp"
#include "product_check.hpp"
#include "tolerance.hpp"
#include "variable.hpp"

namespace envgen::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr unsigned seed_a = 5;
constexpr unsigned seed_b = 6;

class VerifyProduct : public ::testing::Test {
 protected:
  VerifyProduct() : driver_(start_driver(places())), session_(driver_, 0) {}

  static Places places() {
    Places places;
    places.overrides["libcuda"] = BENCH_DOUBLES "/libcuda.so.1";
    return places;
  }

  /// The right product, rounded to the result's format.
  std::vector<unsigned char> product(const std::string& name, const Multiplier::Shape& shape) const {
    const auto& precision = bench::precision(name);
    const auto table = element_table(precision.in);
    ProductCheck check{};
    check.m = shape.m;
    check.n = shape.n;
    check.k = shape.k;
    check.transpose_a = shape.transpose_a ? 1 : 0;
    check.transpose_b = shape.transpose_b ? 1 : 0;
    std::vector<unsigned char> bytes;
    for (int batch = 0; batch < shape.batches; ++batch) {
      for (int j = 0; j < shape.n; ++j) {
        for (int i = 0; i < shape.m; ++i) {
          double sum = 0;
          for (int x = 0; x < shape.k; ++x) {
            sum += element_value(table, seed_a, place_in_a(check, batch, i, x)) *
                   element_value(table, seed_b, place_in_b(check, batch, x, j));
          }
          const auto bits = encoded(sum, precision.out);
          const auto* first = reinterpret_cast<const unsigned char*>(&bits);
          bytes.insert(bytes.end(), first, first + precision.out.bytes);
        }
      }
    }
    return bytes;
  }

  /// What is said of it; "": it is right.
  std::string said(const std::string& name, const Multiplier::Shape& shape, const std::vector<unsigned char>& bytes,
                   double most_products = 0) {
    const auto c = session_.allocate(bytes.size());
    session_.to_device(c, bytes.data(), bytes.size());
    std::string message;
    try {
      verified_ = verify_product(session_, precision(name), shape, {seed_a, seed_b}, c, most_products, "it");
    } catch (const TestFailed& failed) {
      message = failed.what();
    }
    session_.free(c);
    return message;
  }

  static void put(std::vector<unsigned char>& bytes, std::size_t place, double value, ElementFormat format) {
    const auto bits = encoded(value, format);
    std::memcpy(&bytes[place * format.bytes], &bits, format.bytes);
  }
  static double get(const std::vector<unsigned char>& bytes, std::size_t place, ElementFormat format) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &bytes[place * format.bytes], format.bytes);
    return decoded(bits, format);
  }

  Driver driver_;
  Session session_;
  Verified verified_;
};

TEST_F(VerifyProduct, WhateverIsTransposedAndHowever) {
  for (const char* name : {"fp32", "tf32", "fp16", "bf16", "fp8"}) {
    for (const Multiplier::Shape& shape :
         {Multiplier::Shape{40, 33, 70}, Multiplier::Shape{33, 40, 20, true, false, 2},
          Multiplier::Shape{1, 65, 31, false, true, 3}, Multiplier::Shape{64, 32, 1, true, true}}) {
      const auto bytes = product(name, shape);
      EXPECT_EQ(said(name, shape, bytes), "") << name << shape.m;
      EXPECT_EQ(verified_.compared, bytes.size() / precision(name).out.bytes);
      EXPECT_LE(verified_.error, precision(name).out.bytes == 4 ? 1e-7 : verified_.bound);
      EXPECT_GT(verified_.bound, 0);
    }
  }
}

TEST_F(VerifyProduct, OneElementWhereverItLies) {
  const Multiplier::Shape shape{40, 33, 70, true, false, 2};
  const auto right = product("bf16", shape);
  for (const std::size_t place : {0UL, 1UL, 31UL, 32UL, 39UL, 40UL, 1319UL, 1320UL, 2000UL, 2638UL, 2639UL}) {
    auto bytes = right;
    const double value = get(bytes, place, format_bf16);
    put(bytes, place, value + std::copysign(0.02 * std::fabs(value) + 0.001, value), format_bf16);
    const auto row = std::to_string(place % 40);
    const auto column = std::to_string(place / 40 % 33);
    EXPECT_THAT(said("bf16", shape, bytes),
                StartsWith("it: 1 of 2640 elements are wrong; the first, in row " + row + " and column " + column + ", is "));
  }
}

TEST_F(VerifyProduct, WhatIsNotANumber) {
  const Multiplier::Shape shape{20, 20, 20};
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    auto bytes = product("fp32", shape);
    const auto single = static_cast<float>(value);
    std::memcpy(&bytes[4 * 399], &single, sizeof single);
    EXPECT_THAT(said("fp32", shape, bytes),
                StartsWith("it: 1 of 400 elements are wrong; the first, in row 19 and column 19, is "));
  }
}

TEST_F(VerifyProduct, OfALargeOneAPartIsComparedAndTheRestLookedAt) {
  const Multiplier::Shape shape{64, 96, 16};  // six tiles of 32 x 32
  const auto right = product("fp16", shape);
  const double half = 64.0 * 96 * 16 / 2;
  EXPECT_EQ(said("fp16", shape, right, 64.0 * 96 * 16), "");
  EXPECT_EQ(verified_.compared, 6144U);
  EXPECT_EQ(said("fp16", shape, right, half), "");
  EXPECT_EQ(verified_.compared, 3 * 1024U);  // the tiles 0, 3 and the last
  const auto with = [&](std::size_t place, double value) {
    auto bytes = right;
    put(bytes, place, value, format_fp16);
    return said("fp16", shape, bytes, half);
  };
  EXPECT_THAT(with(0, 0.9 + get(right, 0, format_fp16)), HasSubstr("1 of 6144 elements are wrong"));
  EXPECT_THAT(with(6143, 0.9 + get(right, 6143, format_fp16)), HasSubstr("in row 63 and column 95"));
  EXPECT_EQ(with(40, 0.9), "");  // in the second tile: what is not compared may be any number of possible size
  EXPECT_THAT(with(40, 12), HasSubstr("in row 40 and column 0, is 12, expected "));
}

TEST_F(VerifyProduct, AsManyLaunchesAsItTakes) {
  // Of k = 8192 a launch takes 4053 tiles; blind, so that the CPU need not multiply.
  const Variable blind("ENVGEN_DOUBLE_FAULTS", "compare_product=blind");
  EXPECT_EQ(said("fp16", {2048, 2048, 8192}, std::vector<unsigned char>(2048UL * 2048 * 2)),
            "it: 0 elements were compared and 4194304 read, not 4194304");
}

TEST_F(VerifyProduct, ALaunchThatIsLostIsSeenWhereOnlyAPartIsCompared) {
  const Multiplier::Shape shape{64, 96, 16};
  const auto right = product("fp16", shape);
  const Variable lost("ENVGEN_DOUBLE_FAULTS", "compare_product=short");
  EXPECT_EQ(said("fp16", shape, right, 64.0 * 96 * 16 / 2), "it: 2048 elements were compared and 5120 read, not 6144");
}

TEST_F(VerifyProduct, TheErrorOfAllTogether) {
  const Multiplier::Shape shape{64, 64, 32};
  auto bytes = product("fp32", shape);
  const auto bound = tolerance(precision("fp32").rounding, format_fp32, 32, 1.0 / 3);
  // Each is right for itself, and the last tile is right altogether.
  for (std::size_t place = 0; place < 2048; ++place)
    put(bytes, place, get(bytes, place, format_fp32) + (place % 2 == 0 ? 0.5 : -0.5) * bound.slack, format_fp32);
  EXPECT_THAT(said("fp32", shape, bytes), testing::MatchesRegex("it: the error against float64 is .*e-06, more than 7.3e-07"));
}

}  // namespace
}  // namespace envgen::bench
