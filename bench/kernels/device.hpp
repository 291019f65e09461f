#pragma once

// The few declarations that the kernels need, so that clang compiles them without CUDA's headers.
#define ENVGEN_KERNEL extern "C" __attribute__((global)) void

using Index = unsigned long long;
// A vector type of the compiler, and no struct: only that becomes one access of 16 bytes.
using Vector16 = unsigned __attribute__((ext_vector_type(4)));

/// The number of this thread in its launch: one dimension of blocks, one of threads.
__attribute__((device)) inline Index thread_index() {
  return static_cast<Index>(static_cast<unsigned>(__nvvm_read_ptx_sreg_ctaid_x())) *
             static_cast<unsigned>(__nvvm_read_ptx_sreg_ntid_x()) +
         static_cast<unsigned>(__nvvm_read_ptx_sreg_tid_x());
}
__attribute__((device)) inline Index thread_count() {
  return static_cast<Index>(static_cast<unsigned>(__nvvm_read_ptx_sreg_nctaid_x())) *
         static_cast<unsigned>(__nvvm_read_ptx_sreg_ntid_x());
}
