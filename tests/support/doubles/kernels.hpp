#pragma once

namespace envgen::doubles {

/// A kernel of bench/kernels as the CPU does it: all threads of a launch at once. `arguments` as cuLaunchKernel takes them.
using CpuKernel = void (*)(void** arguments, unsigned long long threads);
/// Null for a name that no kernel has.
CpuKernel cpu_kernel(const char* name);

}  // namespace envgen::doubles
