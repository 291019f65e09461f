#pragma once

#include <cstddef>
#include <vector>

namespace envgen::doubles {

/// A kernel of bench/kernels as the CPU does it: all threads of a launch at once.
struct CpuKernel {
  /// `arguments` as cuLaunchKernel takes them.
  void (*run)(void** arguments, unsigned long long threads) = nullptr;
  std::vector<std::size_t> arguments;  ///< their sizes in bytes
};
/// One that does nothing has no `run`: there is none of that name.
CpuKernel cpu_kernel(const char* name);

}  // namespace envgen::doubles
