#include "kernels.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "generator.hpp"

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

}  // namespace

CpuKernel cpu_kernel(const char* name) {
  static constexpr std::array<std::pair<std::string_view, CpuKernel>, 8> kernels{{{"generate_words", generate_words},
                                                                                  {"digest_words", digest_words},
                                                                                  {"choose_8", choose<unsigned char>},
                                                                                  {"choose_16", choose<unsigned short>},
                                                                                  {"choose_32", choose<unsigned>},
                                                                                  {"copy_16", copy_16},
                                                                                  {"scale_vector", scale_vector},
                                                                                  {"spin", spin}}};
  for (const auto& [known, kernel] : kernels) {
    if (known == name) return kernel;
  }
  return nullptr;
}

}  // namespace envgen::doubles
