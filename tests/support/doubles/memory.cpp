#include "memory.hpp"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <map>
#include <string>

#include "faults.hpp"

namespace envgen::doubles {

Memory mapped(int descriptor, std::size_t bytes, bool own_copy) {
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, own_copy ? MAP_PRIVATE : MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) return {};
  return {address, descriptor, bytes};
}

// The C library has a function for it since glibc 2.27; the doubles of containers are built for 2.17.
static int memory_file() { return static_cast<int>(::syscall(SYS_memfd_create, "double", MFD_CLOEXEC)); }

Memory new_memory(const char* kind, std::size_t bytes) {
  static std::map<std::string, int> made;
  const auto folder = text_setting("ENVGEN_DOUBLE_MEMORY", "");
  const auto file = folder + "/" + kind + "-" + std::to_string(made[kind]++);
  const int descriptor = folder.empty() ? memory_file() : ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0 || ::ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) return {};
  return mapped(descriptor, bytes);
}

void release(const Memory& memory) {
  ::munmap(memory.address, memory.bytes);
  ::close(memory.descriptor);
}

}  // namespace envgen::doubles
