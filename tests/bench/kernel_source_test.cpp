// The source of the kernel compare_product, run on the CPU: 256 threads a block, which wait for each other as the GPU's do.
#include <barrier>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "element.hpp"
#include "product.cu"

namespace {

thread_local int own_number = 0;
Index own_block = 0;
std::barrier<>* block_barrier = nullptr;

}  // namespace

namespace envgen::bench {
void all_threads_here() { block_barrier->arrive_and_wait(); }
}  // namespace envgen::bench
Index block_index() { return own_block; }
int thread_in_block() { return own_number; }

namespace envgen::bench {
namespace {

void run_block(const ProductCheck& check, Index block) {
  std::barrier together(threads_in_block);
  block_barrier = &together;
  own_block = block;
  std::vector<std::jthread> threads;
  for (int number = 0; number < threads_in_block; ++number) {
    threads.emplace_back([&, number] {
      own_number = number;
      compare_product(check);
      together.arrive_and_drop();  // those that end early are waited for no more
    });
  }
}

/// Two products of 45 x 70 elements, both operands transposed, of elements that need all bits of fp32.
struct Example {
  Example() : table(element_table(format_fp32)), c(2UL * 45 * 70) {
    check.relative = 0;
    check.slack = 1e-5;
    check.most = 40;
    check.m = 45;
    check.n = 70;
    check.k = 37;
    check.batches = 2;
    check.transpose_a = check.transpose_b = 1;
    check.seed_a = 3;
    check.seed_b = 4;
    check.format = result_fp32;
    check.stride = 1;
    for (int batch = 0; batch < 2; ++batch) {
      for (int j = 0; j < check.n; ++j) {
        for (int i = 0; i < check.m; ++i) {
          double sum = 0;
          for (int x = 0; x < check.k; ++x) {
            sum += element_value(table, 3, static_cast<unsigned>((batch * 45 + i) * 37 + x)) *
                   element_value(table, 4, static_cast<unsigned>((batch * 37 + x) * 70 + j));
          }
          c[static_cast<std::size_t>((batch * 70 + j) * 45 + i)] = static_cast<float>(sum);
          squares += sum * sum;
          signed_sum += sign_of(row_signs, static_cast<unsigned>(i)) * sign_of(column_signs, static_cast<unsigned>(j)) * sum;
        }
      }
    }
  }

  ProductTile run() {
    std::vector<ProductTile> tiles(tiles_of(check));
    check.found = reinterpret_cast<unsigned long long>(c.data());
    check.table = reinterpret_cast<unsigned long long>(table.values.data());
    check.tiles = reinterpret_cast<unsigned long long>(tiles.data());
    ProductTile all{0, 0, 0, 0, 0, 0, no_element};
    for (check.first = 0; check.first < tiles.size(); check.first += 5) {  // as if five blocks made a launch
      for (Index block = 0; block < 5 && check.first + block < tiles.size(); ++block) run_block(check, block);
    }
    for (const auto& tile : tiles) add(all, tile);
    return all;
  }

  ElementTable table;
  std::vector<float> c;
  ProductCheck check{};
  double squares = 0;
  double signed_sum = 0;
};

TEST(KernelSource, ComparesEveryElement) {
  Example example;
  ASSERT_EQ(tiles_of(example.check), 12U);
  const auto all = example.run();
  EXPECT_EQ(all.seen, 6300U);
  EXPECT_EQ(all.compared, 6300U);
  EXPECT_EQ(all.wrong, 0U);
  EXPECT_EQ(all.first_wrong, no_element);
  EXPECT_NEAR(all.expected_squares, example.squares, 1e-9 * example.squares);
  EXPECT_NEAR(all.signed_sum, example.signed_sum, 1e-9);
  EXPECT_LT(std::sqrt(all.error_squares / all.expected_squares), 1e-7);
}

TEST(KernelSource, FindsWhatIsWrong) {
  Example example;
  example.c.back() += 2e-5F;
  example.c[4000] = std::nanf("");
  example.c[4000 + 8 * 45] = 39;  // eight columns further, which the same thread looks at
  example.c[3999] += 0.5e-5F;
  auto all = example.run();
  EXPECT_EQ(all.wrong, 3U);
  EXPECT_EQ(all.first_wrong, 4000U);
  example.check.stride = 5;  // of twelve tiles the numbers 0, 5, 10 and the last: 32 x 32, 13 x 6, 32 x 6 and 13 x 6 elements
  all = example.run();
  EXPECT_EQ(all.seen, 6300U);
  EXPECT_EQ(all.compared, 32U * 32 + 13 * 6 + 32 * 6 + 13 * 6);
  EXPECT_EQ(all.wrong, 2U);  // the last element, and the NaN wherever it lies
  example.c[100] = 41;
  example.c[101] = 39;
  EXPECT_EQ(example.run().wrong, 4U);  // both lie in the first tile
  example.check.first = 0;
}

}  // namespace
}  // namespace envgen::bench
