// A double of what the kernel does with shared memory and files, put before the C library by LD_PRELOAD:
//   posix_fallocate=grant         says that there is room, and makes none: whoever writes there dies of SIGBUS
//   posix_fallocate=28, mmap=12, pwrite=28, fdatasync=5, access=13, shmget=28, shmat=13
//                                 fails with this number: mmap where it is to be written, access where W_OK is asked for
//   munmap=first, corrupt, last   what was written loses a byte when it is let go of; munmap:second: what was written second
//   pread=first, corrupt, last    what is read has lost a byte
//   pread=short, pwrite=short     three quarters are read or written
//   statvfs=full                  there is no room
//   shmat=removed, flock=removed  another process removes the first segment before it is attached, the first file before its lock
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <utility>

#include "faults.hpp"

using envgen::doubles::spoil;
using envgen::doubles::told;
using envgen::doubles::written_part;

namespace {

/// The writable mapping that was made last: a worker has one at a time.
void* written = nullptr;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Whether the call is to fail; errno says how.
bool failed(const char* function) {
  const auto fault = envgen::doubles::fault_of(function);
  if (fault) errno = *fault;
  return fault.has_value();
}

}  // namespace

extern "C" {

int posix_fallocate(int descriptor, off_t offset, off_t length) {
  if (told("posix_fallocate", "grant")) return 0;
  ENVGEN_FAULT(posix_fallocate);
  return next<decltype(posix_fallocate)>("posix_fallocate")(descriptor, offset, length);
}

void* mmap(void* address, std::size_t bytes, int protection, int flags, int descriptor, off_t offset) noexcept {
  const bool shared = (protection & PROT_WRITE) != 0 && (flags & MAP_SHARED) != 0 && descriptor >= 0;
  if (shared && failed("mmap")) return MAP_FAILED;
  void* memory = next<decltype(mmap)>("mmap")(address, bytes, protection, flags, descriptor, offset);
  if (shared) written = memory;
  return memory;
}

int munmap(void* memory, std::size_t bytes) noexcept {
  static int times = 0;
  if (memory == written) spoil(++times == 2 ? "munmap:second" : "munmap", memory, bytes);
  return next<decltype(munmap)>("munmap")(memory, bytes);
}

ssize_t pread(int descriptor, void* to, std::size_t bytes, off_t offset) {
  const auto count = next<decltype(pread)>("pread")(descriptor, to, written_part("pread", bytes), offset);
  if (count > 0) spoil("pread", to, static_cast<std::size_t>(count));
  return count;
}

ssize_t pwrite(int descriptor, const void* from, std::size_t bytes, off_t offset) {
  if (failed("pwrite")) return -1;
  return next<decltype(pwrite)>("pwrite")(descriptor, from, written_part("pwrite", bytes), offset);
}

int statvfs(const char* path, struct statvfs* about) noexcept {
  const int status = next<int(const char*, struct statvfs*)>("statvfs")(path, about);
  if (told("statvfs", "full")) about->f_bavail = 0;
  return status;
}

int fdatasync(int descriptor) { return failed("fdatasync") ? -1 : next<decltype(fdatasync)>("fdatasync")(descriptor); }

int access(const char* path, int mode) noexcept {
  return mode == W_OK && failed("access") ? -1 : next<int(const char*, int)>("access")(path, mode);
}

int shmget(key_t key, std::size_t bytes, int flags) noexcept {
  return failed("shmget") ? -1 : next<int(key_t, std::size_t, int)>("shmget")(key, bytes, flags);
}

void* shmat(int segment, const void* address, int flags) noexcept {
  static bool removed = false;
  if (told("shmat", "removed")) {
    if (!std::exchange(removed, true)) ::shmctl(segment, IPC_RMID, nullptr);
  } else if (failed("shmat")) {
    return reinterpret_cast<void*>(-1);
  }
  return next<void*(int, const void*, int)>("shmat")(segment, address, flags);
}

int flock(int descriptor, int operation) noexcept {
  static bool removed = false;
  if (told("flock", "removed") && !std::exchange(removed, true)) {
    ::unlink(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor)).c_str());
  }
  return next<int(int, int)>("flock")(descriptor, operation);
}

}  // extern "C"
