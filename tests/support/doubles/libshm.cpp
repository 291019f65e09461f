// A double of what the kernel does with shared memory, put before the C library by LD_PRELOAD:
//   posix_fallocate=grant   says that there is room, and makes none: whoever writes there dies of SIGBUS
//   munmap=first, corrupt or last   what was written loses a byte when it is let go of
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "faults.hpp"

using envgen::doubles::spoil;
using envgen::doubles::told;

namespace {

/// The writable mapping that was made last: a worker has one at a time.
void* written = nullptr;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int posix_fallocate(int descriptor, off_t offset, off_t length) {
  if (told("posix_fallocate", "grant")) return 0;
  return next<decltype(posix_fallocate)>("posix_fallocate")(descriptor, offset, length);
}

void* mmap(void* address, std::size_t bytes, int protection, int flags, int descriptor, off_t offset) noexcept {
  void* memory = next<decltype(mmap)>("mmap")(address, bytes, protection, flags, descriptor, offset);
  if ((protection & PROT_WRITE) != 0 && (flags & MAP_SHARED) != 0 && descriptor >= 0) written = memory;
  return memory;
}

int munmap(void* memory, std::size_t bytes) noexcept {
  if (memory == written) spoil("munmap", memory, bytes);
  return next<decltype(munmap)>("munmap")(memory, bytes);
}

}  // extern "C"
