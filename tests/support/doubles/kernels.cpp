#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>

#include "element.hpp"
#include "faults.hpp"
#include "generator.hpp"
#include "product_check.hpp"

namespace envgen::doubles {
namespace {

using Index = unsigned long long;

template <class Value>
Value argument(void** arguments, int number) {
  Value value;
  std::memcpy(&value, arguments[number], sizeof value);
  return value;
}

void generate_words(void** arguments, Index) {
  auto* words = argument<unsigned*>(arguments, 0);
  const auto count = argument<Index>(arguments, 1);
  const auto seed = argument<unsigned>(arguments, 2);
  for (Index i = 0; i < count; ++i) words[i] = bench::generated_word(seed, i);
}

void digest_words(void** arguments, Index) {
  const auto* words = argument<const unsigned*>(arguments, 0);
  const auto count = argument<Index>(arguments, 1);
  auto* digest = argument<unsigned long long*>(arguments, 2);
  for (Index i = 0; i < count; ++i) *digest += bench::digest_part(words[i], i);
}

template <class Element>
void choose(void** arguments, Index) {
  auto* elements = argument<Element*>(arguments, 0);
  const auto count = argument<Index>(arguments, 1);
  const auto seed = argument<unsigned>(arguments, 2);
  const auto* table = argument<const Element*>(arguments, 3);
  for (Index i = 0; i < count; ++i) elements[i] = table[bench::generated_word(seed, i) & 255U];
}

void copy_16(void** arguments, Index threads) {
  const auto count = std::min(argument<Index>(arguments, 2), threads);
  std::memcpy(argument<void*>(arguments, 0), argument<const void*>(arguments, 1), count * 16);
}

void scale_vector(void** arguments, Index threads) {
  auto* to = argument<float*>(arguments, 0);
  const auto* from = argument<const float*>(arguments, 1);
  const auto count = std::min(argument<Index>(arguments, 2), threads);
  const auto factor = argument<float>(arguments, 3);
  for (Index i = 0; i < count; ++i) to[i] = from[i] * factor;
}

void spin(void**, Index) {}

/// The elements of op(A) or op(B) that make one element of C.
struct Factors {
  const double* table;
  const bench::ProductCheck& check;
  double at_a(int batch, int i, int x) const {
    return table[bench::generated_word(check.seed_a, bench::place_in_a(check, batch, i, x)) & 255U];
  }
  double at_b(int batch, int x, int j) const {
    return table[bench::generated_word(check.seed_b, bench::place_in_b(check, batch, x, j)) & 255U];
  }
};

double found_at(const bench::ProductCheck& check, Index place) {
  const bool wide = check.format == bench::result_fp32;
  const auto format = wide ? bench::format_fp32 : check.format == bench::result_fp16 ? bench::format_fp16 : bench::format_bf16;
  std::uint32_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const unsigned char*>(check.found) + place * format.bytes, format.bytes);
  return bench::decoded(bits, format);
}

bench::ProductTile compared_tile(const bench::ProductCheck& check, Index number) {
  const Factors factors{reinterpret_cast<const double*>(check.table), check};
  const bool single = told("compare_product", "single");
  const bool blind = told("compare_product", "blind");
  const auto rows = static_cast<Index>(bench::tiles_along(check.m));
  const auto columns = static_cast<Index>(bench::tiles_along(check.n));
  const int batch = static_cast<int>(number / (rows * columns));
  const int first_i = static_cast<int>(number % rows) * bench::tile_side;
  const int first_j = static_cast<int>(number / rows % columns) * bench::tile_side;
  bench::ProductTile tile{0, 0, 0, 0, 0, 0, bench::no_element};
  for (int j = first_j; j < std::min(first_j + bench::tile_side, check.n); ++j) {
    for (int i = first_i; i < std::min(first_i + bench::tile_side, check.m); ++i) {
      const auto place = bench::place_in(batch, i, j, check.m, check.n);
      const double found = found_at(check, place);
      bool right = std::fabs(found) <= check.most;
      if (!blind && bench::is_compared(check, number)) {
        double expected = 0;
        for (int x = 0; x < check.k; ++x) expected += factors.at_a(batch, i, x) * factors.at_b(batch, x, j);
        if (single) expected = static_cast<double>(static_cast<float>(expected));
        const double error = found - expected;
        right = std::fabs(error) <= check.relative * std::fabs(expected) + check.slack;
        tile.error_squares += error * error;
        tile.expected_squares += expected * expected;
        tile.signed_sum += bench::sign_of(bench::row_signs, static_cast<Index>(i)) *
                           bench::sign_of(bench::column_signs, static_cast<Index>(j)) * expected;
        ++tile.compared;
      }
      ++tile.seen;
      if (right) continue;
      ++tile.wrong;
      tile.first_wrong = std::min(tile.first_wrong, place);
    }
  }
  return tile;
}

void compare_product(void** arguments, Index threads) {
  constexpr Index threads_in_block = 256;
  const auto check = argument<bench::ProductCheck>(arguments, 0);
  auto* tiles = reinterpret_cast<bench::ProductTile*>(check.tiles);
  const auto count = written_part("compare_product", threads / threads_in_block);
  for (Index tile = check.first; tile < check.first + count; ++tile) tiles[tile] = compared_tile(check, tile);
}

}  // namespace

CpuKernel cpu_kernel(const char* name) {
  constexpr auto pointer = sizeof(void*);
  static const std::map<std::string_view, CpuKernel> kernels{
      {"generate_words", {generate_words, {pointer, sizeof(Index), sizeof(unsigned)}}},
      {"digest_words", {digest_words, {pointer, sizeof(Index), pointer}}},
      {"choose_8", {choose<unsigned char>, {pointer, sizeof(Index), sizeof(unsigned), pointer}}},
      {"choose_16", {choose<unsigned short>, {pointer, sizeof(Index), sizeof(unsigned), pointer}}},
      {"choose_32", {choose<unsigned>, {pointer, sizeof(Index), sizeof(unsigned), pointer}}},
      {"copy_16", {copy_16, {pointer, pointer, sizeof(Index)}}},
      {"scale_vector", {scale_vector, {pointer, pointer, sizeof(Index), sizeof(float)}}},
      {"compare_product", {compare_product, {sizeof(bench::ProductCheck)}}},
      {"spin", {spin, {sizeof(long long)}}}};
  const auto found = kernels.find(name);
  return found == kernels.end() ? CpuKernel{} : found->second;
}

}  // namespace envgen::doubles
