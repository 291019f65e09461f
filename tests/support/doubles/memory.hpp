#pragma once

#include <cstddef>

namespace envgen::doubles {

/// Memory of a file, so that another process can open it by this one's number (CUDA IPC) and, with ENVGEN_DOUBLE_MEMORY, finds
/// there what the last one left in it: the Nth of a kind is the same for every process.
struct Memory {
  void* address = nullptr;
  int descriptor = -1;
  std::size_t bytes = 0;

  explicit operator bool() const { return address != nullptr; }
};

Memory new_memory(const char* kind, std::size_t bytes);
Memory mapped(int descriptor, std::size_t bytes, bool own_copy = false);
void release(const Memory& memory);

}  // namespace envgen::doubles
