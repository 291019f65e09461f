// Random data made on the device, and its digest. The host computes the same (generator.hpp).
#include "device.hpp"
#include "generator.hpp"

ENVGEN_KERNEL generate_words(unsigned* words, Index count, unsigned seed) {
  for (Index i = thread_index(); i < count; i += thread_count()) words[i] = envgen::bench::generated_word(seed, i);
}

ENVGEN_KERNEL digest_words(const unsigned* words, Index count, unsigned long long* digest) {
  unsigned long long sum = 0;
  for (Index i = thread_index(); i < count; i += thread_count()) sum += envgen::bench::digest_part(words[i], i);
  __nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(digest), static_cast<long long>(sum));
}

// Matrices of any element type: each element is one of 256 that the host encoded, chosen by the generator.
ENVGEN_KERNEL choose_8(unsigned char* elements, Index count, unsigned seed, const unsigned char* table) {
  for (Index i = thread_index(); i < count; i += thread_count()) {
    elements[i] = table[envgen::bench::generated_word(seed, i) & 255U];
  }
}

ENVGEN_KERNEL choose_16(unsigned short* elements, Index count, unsigned seed, const unsigned short* table) {
  for (Index i = thread_index(); i < count; i += thread_count()) {
    elements[i] = table[envgen::bench::generated_word(seed, i) & 255U];
  }
}

ENVGEN_KERNEL choose_32(unsigned* elements, Index count, unsigned seed, const unsigned* table) {
  for (Index i = thread_index(); i < count; i += thread_count()) {
    elements[i] = table[envgen::bench::generated_word(seed, i) & 255U];
  }
}
