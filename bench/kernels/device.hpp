#pragma once

// The few declarations that the kernels need, so that clang compiles them without CUDA's headers.
#define ENVGEN_KERNEL extern "C" __attribute__((global)) void
#define ENVGEN_DEVICE __attribute__((device)) inline
#define ENVGEN_SHARED __attribute__((shared))
#define ENVGEN_TOGETHER __syncthreads  // every thread of the block is here, and what it wrote is seen by all

using Index = unsigned long long;
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
