#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// What the doubles of CUDA's libraries are told to be, by environment variables, or by lines `NAME=value` of
/// /etc/envgen-doubles:
///   ENVGEN_DOUBLE_FAULTS       `cuInit=999,cuLaunchKernel=hang`: a function returns that error, or hangs, crashes (SIGSEGV),
///                              dies of SIGBUS (bus), or ends the process (exit). Or it says success and goes wrong, kernels by
///                              their own names (`copy_16=corrupt`):
///                                first, corrupt, last   one byte of what it writes is wrong, there or in the middle
///                                skip, short            it does nothing, or leaves out the last quarter
///                                slow                   of a copy: it takes 3 ms
///                                nan                    of a product: the last tile of 8 x 8 is NaN
///                                bits-N, sums-N         of a product: the elements, or the sums, keep N bits after the point
///                                ulps-N                 of a product: the last element is off by N units of its last place
///                                old, own               of cuMemcpyPeerAsync: the source as it was when it was first read, or
///                                                       what the reading GPU has at its place
///                                own, other             of cuIpcOpenMemHandle_v2: a copy, or other memory
///                                twice                  of ncclAllReduce: the last rank's buffer is added twice
///                                none                   of cublasLtMatmulAlgoGetHeuristic: there is no way
///                                shm                    of ncclCommInitAll: it prints why, and fails
///                                single, blind          of compare_product: it has no float64 but float32, or compares nothing
///                              A direction is a function of its own: `cuMemcpyPeerAsync:1>0`, `cudaMemcpy:in`; so is the
///                              Runtime's allocation on the second GPU (`cudaMalloc:1`);
///                              so is a copy whose memory is not pinned (`cuMemcpyHtoDAsync_v2:pageable`), and a product whose
///                              first or second operand is transposed (`cublasGemmEx:a`)
///   ENVGEN_DOUBLE_MEMORY       a folder: what one process leaves in memory, the next one finds there (none: memory is new)
///   ENVGEN_DOUBLE_DEVICES      how many GPUs there are (1)
///   ENVGEN_DOUBLE_NAME         what they are called (`Simulated GPU`)
///   ENVGEN_DOUBLE_CAPABILITY   their capability (`9.0`)
///   ENVGEN_DOUBLE_DRIVER       the driver's CUDA version (`13000`)
///   ENVGEN_DOUBLE_THROTTLE     the bits that NVML gives as reasons (0)
///   ENVGEN_DOUBLE_PROCESSES    how many other processes NVML counts (0)
///   ENVGEN_DOUBLE_MIG          whether NVML says that the GPU is in MIG mode (0)
///   ENVGEN_DOUBLE_DIRECT       whether the GPUs reach each other's memory (1)
///   ENVGEN_DOUBLE_FREE         MiB of a GPU's memory that are free (8192)
///   ENVGEN_DOUBLE_YOUNGEST     whether the youngest stream that can go on does so first, not the oldest (0)
///   ENVGEN_DOUBLE_L2           MiB of a GPU's L2 cache (1)
///   ENVGEN_DOUBLE_NCCL         what NCCL says of its version (22005)
namespace envgen::doubles {

/// The error that `function` is to return; nothing: it does its work. Does not return from a hang or a crash.
std::optional<int> fault_of(const char* function);
bool told_anything(const std::string& function);
/// Whether `function` is told to do what `word` says.
bool told(const std::string& function, std::string_view word);
/// The number that follows `word` (`bits-`) where `function` is told that.
std::optional<int> told_number(const std::string& function, std::string_view word);
/// What `function` wrote loses a byte where it is told so.
void spoil(const std::string& function, void* written, std::size_t bytes);
/// How many of `bytes` the function writes.
std::size_t written_part(const std::string& function, std::size_t bytes);

int number_setting(const char* name, int otherwise);
std::string text_setting(const char* name, const char* otherwise);

}  // namespace envgen::doubles

/// Every double exports this, so that a report can say what it was made with.
#define ENVGEN_DOUBLE(library) extern "C" const char envgen_double[] = library

/// Begins each function of a double: returns the error that it was told to.
#define ENVGEN_FAULT(function) \
  if (const auto fault = envgen::doubles::fault_of(#function)) return *fault
