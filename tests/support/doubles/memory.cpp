#include "memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
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

Memory new_memory(const char* kind, std::size_t bytes) {
  static std::map<std::string, int> made;
  const auto folder = text_setting("ENVGEN_DOUBLE_MEMORY", "");
  const auto file = folder + "/" + kind + "-" + std::to_string(made[kind]++);
  const int descriptor =
      folder.empty() ? ::memfd_create("double", MFD_CLOEXEC) : ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0 || ::ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) return {};
  return mapped(descriptor, bytes);
}

void release(const Memory& memory) {
  ::munmap(memory.address, memory.bytes);
  ::close(memory.descriptor);
}

}  // namespace envgen::doubles
