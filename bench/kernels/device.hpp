#pragma once

using Index = unsigned long long;

#ifdef __CUDA__

// The few declarations that the kernels need, so that clang compiles them without CUDA's headers.
#define ENVGEN_KERNEL extern "C" __attribute__((global)) void
#define ENVGEN_DEVICE __attribute__((device)) inline
#define ENVGEN_SHARED __attribute__((shared))
#define ENVGEN_TOGETHER __syncthreads  // every thread of the block is here, and what it wrote is seen by all

// A vector type of the compiler, and no struct: only that becomes one access of 16 bytes.
using Vector16 = unsigned __attribute__((ext_vector_type(4)));

/// The number of this thread in its launch: one dimension of blocks, one of threads.
ENVGEN_DEVICE Index block_index() { return static_cast<unsigned>(__nvvm_read_ptx_sreg_ctaid_x()); }
ENVGEN_DEVICE int thread_in_block() { return __nvvm_read_ptx_sreg_tid_x(); }
ENVGEN_DEVICE Index thread_index() {
  return block_index() * static_cast<unsigned>(__nvvm_read_ptx_sreg_ntid_x()) + static_cast<unsigned>(thread_in_block());
}
ENVGEN_DEVICE Index thread_count() {
  return static_cast<Index>(static_cast<unsigned>(__nvvm_read_ptx_sreg_nctaid_x())) *
         static_cast<unsigned>(__nvvm_read_ptx_sreg_ntid_x());
}

#else

// A test runs a kernel on the CPU, each thread of a block as one of its own (tests/bench/kernel_source_test.cpp).
#define ENVGEN_KERNEL inline void
#define ENVGEN_DEVICE inline
#define ENVGEN_SHARED static
#define ENVGEN_TOGETHER envgen::bench::all_threads_here

namespace envgen::bench {
void all_threads_here();
}
Index block_index();
int thread_in_block();

#endif
